import { isList, type Json } from '@inlay/contract';
import type { EngineSummary } from '../../engine/engine.ts';
import type { PlaceLabel } from '../choose.ts';
import type { QueryResult } from '../run-query.ts';
import { maxSharedBytes } from '../cache/keep-rows.ts';
import type { AnswerRows, ShownRows } from '../../dashboards/stored-items/open-items.ts';
import { toProblem } from '../problems.ts';
import type { QueryTimes } from '../query-record.ts';

/** Counts and durations (in ms) of a query, which are known after its last row. */
export interface RowFacts extends Pick<EngineSummary, 'rows' | 'truncated' | 'queuedMs' | 'queryMs'> {
  readonly cached: boolean;
  readonly source: PlaceLabel;
  readonly dataAsOf: string | null;
  readonly preparedMs: number;
}

/** Rows of a query as JSON text: chunks that together are a comma-separated sequence of arrays. */
export type RowText = AsyncGenerator<Uint8Array, RowFacts>;

const encoder = new TextEncoder();

/**
 * Yields the rows of a query. Also passes the rows to the cache, and to callers that wait for the same rows. Calls
 * `onEnd` with the queueing time and the run time. Raises Problem that refers to the query at `at`.
 */
export async function* rowText(result: QueryResult, at: string, onEnd: (times: QueryTimes) => void): RowText {
  const { dataAsOf, preparedMs } = result;
  if (result.kind === 'ready') {
    const { text, rows, truncated, source } = result.rows;
    const times = { queuedMs: 0, queryMs: 0 };
    yield text;
    onEnd(times);
    return { rows, truncated, cached: result.cached, source, dataAsOf, preparedMs, ...times };
  }
  const { running, keeper } = result;
  const source = running.place;
  try {
    for await (const nextChunk of running.chunks) {
      keeper?.add(nextChunk);
      yield nextChunk;
    }
    const { rows, truncated, queuedMs, queryMs } = await running.summary();
    onEnd({ queuedMs, queryMs });
    keeper?.end({ rows, truncated, source });
    return { rows, truncated, cached: false, source, dataAsOf, preparedMs, queuedMs, queryMs };
  } catch (error) {
    throw toProblem(error, at);
  } finally {
    keeper?.leave();
  }
}

/** Reads all rows of a query, and the facts about them. */
export async function readRows(text: RowText): Promise<{ readonly rows: AnswerRows; readonly facts: RowFacts }> {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const nextChunk = await text.next();
    if (nextChunk.done !== true) {
      chunks.push(nextChunk.value);
      continue;
    }
    const rows: Json = JSON.parse(`[${Buffer.concat(chunks).toString()}]`);
    return { rows: isList(rows) ? rows.filter(isList) : [], facts: nextChunk.value };
  }
}

/** Reduces the rows of a query to those that its item shows. */
export async function* shownRowText(text: RowText, shownRows: ShownRows): RowText {
  const { rows, facts } = await readRows(text);
  const visible = await shownRows(rows, facts.truncated);
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

/** The start of a stream, which has been read into memory, and a stream that yields everything including the start. */
export interface StreamStart<End> {
  readonly chunks: readonly Uint8Array[];
  readonly isWhole: boolean;
  readonly stream: AsyncGenerator<Uint8Array, End>;
}

/** Reads a stream until it ends or has more than `bytes`. Raises an error of the stream if it occurs before that. */
export async function readStart<End>(
  stream: AsyncGenerator<Uint8Array, End>,
  bytes: number,
): Promise<StreamStart<End>> {
  const chunks: Uint8Array[] = [];
  let bytesRead = 0;
  while (bytesRead <= bytes) {
    const nextChunk = await stream.next();
    if (nextChunk.done === true) return { chunks, isWhole: true, stream: ended(chunks, nextChunk.value) };
    chunks.push(nextChunk.value);
    bytesRead += nextChunk.value.byteLength;
  }
  return { chunks, isWhole: false, stream: resumed(chunks, stream) };
}

/**
 * Waits for the first rows, so that an immediate failure is raised here. A result that other callers may wait for is
 * read completely, so that these callers need not wait for a slow client.
 */
export const startedRows = async (text: RowText): Promise<RowText> => (await readStart(text, maxSharedBytes)).stream;
