import { isList, type Json } from '@inlay/contract';
import type { EngineSummary } from '../../engine/engine.ts';
import type { QueryResult } from '../answer.ts';
import { mostShared } from '../cache/keep-rows.ts';
import type { AnswerRows, ShownRows } from '../../dashboards/stored-items/open-items.ts';
import { toProblem } from '../problems.ts';
import type { QueryTimes } from '../query-record.ts';

/** Counts and times of a query, known once its last row has been read. Times are milliseconds. */
export interface RowFacts extends Pick<EngineSummary, 'rows' | 'truncated' | 'queuedMs' | 'queryMs'> {
  readonly cached: boolean;
  readonly source: QueryResult['source'];
  readonly preparedMs: number;
}

/** The rows of a query as JSON text: lists with commas between, in pieces. */
export type RowText = AsyncGenerator<Uint8Array, RowFacts>;

const encoder = new TextEncoder();

/**
 * The rows of a query. Passes them to the callers that wait for the same rows and to the cache, and calls `ended` with how long the
 * query waited and ran. Raises Problem about the query at `at`.
 */
export async function* rowText(result: QueryResult, at: string, ended: (times: QueryTimes) => void): RowText {
  const { source, preparedMs } = result;
  if (result.kind === 'ready') {
    const { text, rows, truncated } = result.rows;
    const times = { queuedMs: 0, queryMs: 0 };
    yield text;
    ended(times);
    return { rows, truncated, cached: result.cached, source, preparedMs, ...times };
  }
  const { running, keeper } = result;
  try {
    for await (const chunk of running.chunks) {
      keeper?.add(chunk);
      yield chunk;
    }
    const { rows, truncated, queuedMs, queryMs } = await running.summary();
    ended({ queuedMs, queryMs });
    keeper?.end({ rows, truncated });
    return { rows, truncated, cached: false, source, preparedMs, queuedMs, queryMs };
  } catch (error) {
    throw toProblem(error, at);
  } finally {
    keeper?.leave();
  }
}

/** All rows of a query, and whether a limit truncated them. */
export async function readRows(text: RowText): Promise<{ readonly rows: AnswerRows; readonly facts: RowFacts }> {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const next = await text.next();
    if (next.done !== true) {
      chunks.push(next.value);
      continue;
    }
    const rows: Json = JSON.parse(`[${Buffer.concat(chunks).toString()}]`);
    return { rows: isList(rows) ? rows.filter(isList) : [], facts: next.value };
  }
}

/** The rows that an item shows of all that its query answers. */
export async function* shownRowText(text: RowText, shown: ShownRows): RowText {
  const { rows, facts } = await readRows(text);
  const visible = await shown(rows, facts.truncated);
  yield encoder.encode(visible.map((row) => JSON.stringify(row)).join(','));
  return { ...facts, rows: visible.length };
}

const close = async (stream: AsyncIterator<unknown>): Promise<void> => {
  await stream.return?.();
};

async function* resumed<End>(
  chunks: readonly Uint8Array[],
  stream: AsyncGenerator<Uint8Array, End>,
): AsyncGenerator<Uint8Array, End> {
  try {
    yield* chunks;
    return yield* stream;
  } finally {
    await close(stream);
  }
}

async function* ended<End>(chunks: readonly Uint8Array[], end: End): AsyncGenerator<Uint8Array, End> {
  yield* chunks;
  return end;
}

/** The start of a stream in memory, and the whole stream to read from. */
export interface StreamStart<End> {
  readonly chunks: readonly Uint8Array[];
  readonly isWhole: boolean;
  readonly stream: AsyncGenerator<Uint8Array, End>;
}

/** Reads a stream until it ends or gives more than `bytes`. Raises what the stream raises until then. */
export async function readStart<End>(
  stream: AsyncGenerator<Uint8Array, End>,
  bytes: number,
): Promise<StreamStart<End>> {
  const chunks: Uint8Array[] = [];
  let read = 0;
  while (read <= bytes) {
    const next = await stream.next();
    if (next.done === true) return { chunks, isWhole: true, stream: ended(chunks, next.value) };
    chunks.push(next.value);
    read += next.value.byteLength;
  }
  return { chunks, isWhole: false, stream: resumed(chunks, stream) };
}

/** Rows whose first failure has been raised. Results that other callers may wait for are read whole, however slow their own client is. */
export const startedRows = async (text: RowText): Promise<RowText> => (await readStart(text, mostShared)).stream;
