import { randomUUID } from 'node:crypto';
import { isList, isObject, member, type JsonObject } from '@inlay/contract';
import type { EngineSummary } from '../engine/engine.ts';
import type { QueryResult } from './answer.ts';
import { mostShared } from './cache/keep-rows.ts';
import type { AnswerRows, ShownRows } from '../dashboards/stored-items/open-items.ts';
import { toldProblem } from './problems.ts';
import type { QueryTimes } from './query-record.ts';

/** When each part of an answer began, in milliseconds of `performance.now()`. */
export interface Times {
  readonly validatedMs: number;
  readonly startedMs: number;
}

const encoder = new TextEncoder();
const comma = encoder.encode(',');
const lineEnd = encoder.encode('\n');
const opening = encoder.encode('{"data":[');

const noTime: QueryTimes = { queuedMs: 0, queryMs: 0 };

const rounded = (ms: number): number => Math.max(0, Math.round(ms * 1000) / 1000);

interface AnswerFacts extends Pick<EngineSummary, 'rows' | 'truncated' | 'queuedMs' | 'queryMs'> {
  readonly cached: boolean;
}

/** Everything behind the rows. */
function closing(
  { source, preparedMs }: QueryResult,
  { rows, truncated, cached, queuedMs, queryMs }: AnswerFacts,
  times: Times,
): Uint8Array {
  const spentMs = performance.now() - times.startedMs;
  const processing = spentMs - times.validatedMs - preparedMs - queuedMs - queryMs;
  const performance_ = {
    validating: rounded(times.validatedMs),
    preparing: rounded(preparedMs),
    queuing: rounded(queuedMs),
    querying: rounded(queryMs),
    processing: rounded(processing),
    rows,
  };
  const after = { query_id: randomUUID(), cached, truncated, source, performance: performance_ };
  return encoder.encode(`],${JSON.stringify(after).slice(1)}`);
}

/**
 * The JSON object that answers one query, piece by piece; rows that others may be answered with are kept. `ended` is told how
 * long the query waited and ran.
 */
export async function* written(
  result: QueryResult,
  times: Times,
  at: string,
  ended: (times: QueryTimes) => void,
): AsyncGenerator<Uint8Array> {
  yield opening;
  if (result.kind === 'kept') {
    const { text, rows, truncated } = result.rows;
    yield text;
    ended(noTime);
    yield closing(result, { rows, truncated, cached: result.cached, ...noTime }, times);
    return;
  }
  const { running, keeper } = result;
  let summary: EngineSummary;
  try {
    for await (const chunk of running.chunks) {
      keeper?.add(chunk);
      yield chunk;
    }
    summary = await running.summary();
    ended(summary);
    keeper?.end({ rows: summary.rows, truncated: summary.truncated });
  } catch (error) {
    throw toldProblem(error, at);
  } finally {
    keeper?.leave();
  }
  yield closing(result, { ...summary, cached: false }, times);
}

/** An object that answers one query, as a whole. */
export async function readAnswer(parts: AsyncIterable<Uint8Array>): Promise<JsonObject> {
  const read: Uint8Array[] = [];
  for await (const part of parts) read.push(part);
  const answer: JsonObject = JSON.parse(Buffer.concat(read).toString());
  return answer;
}

/** The rows of an answer. */
export function rowsIn(answer: JsonObject): AnswerRows {
  const rows = member(answer, 'data');
  return rows !== undefined && isList(rows) ? rows.filter(isList) : [];
}

/** An object that answers one query, with the rows that are shown of it. There are few of them. */
export async function* ofShownRows(parts: AsyncIterable<Uint8Array>, shown: ShownRows): AsyncGenerator<Uint8Array> {
  const answer = await readAnswer(parts);
  const data = await shown(rowsIn(answer), member(answer, 'truncated') === true);
  const told = member(answer, 'performance') ?? null;
  const performance_ = isObject(told) ? { ...told, rows: data.length } : {};
  yield encoder.encode(JSON.stringify({ ...answer, data, performance: performance_ }));
}

/** Several objects as one JSON list; each is asked for when those before it have been written. */
export async function* writtenList(
  parts: AsyncIterable<AsyncIterable<Uint8Array> | string>,
): AsyncGenerator<Uint8Array> {
  yield encoder.encode('[');
  let first = true;
  for await (const part of parts) {
    if (!first) yield comma;
    first = false;
    if (typeof part === 'string') yield encoder.encode(part);
    else yield* part;
  }
  yield encoder.encode(']');
}

/** Objects as one line each, every one with its place among what was asked as its first member. */
export async function* writtenLines(
  parts: AsyncIterable<readonly [number, AsyncIterable<Uint8Array> | string]>,
): AsyncGenerator<Uint8Array> {
  for await (const [index, part] of parts) {
    const start = encoder.encode(`{"index":${index},`);
    // The brace that opened the object was written with its place.
    if (typeof part === 'string') yield Buffer.concat([start, encoder.encode(`${part.slice(1)}\n`)]);
    else {
      let opened = false;
      for await (const chunk of part) {
        yield opened ? chunk : Buffer.concat([start, chunk.subarray(1)]);
        opened = true;
      }
      yield lineEnd;
    }
  }
}

/** Up to so many bytes are sent as a whole, with their length, rows that others wait for among them; more of them as they come. */
const wholeBytes = opening.byteLength + mostShared;

/** A short stream as its bytes, a longer one as it is. Raises what the stream raises at its start. */
export async function wholeOrStream(
  stream: AsyncGenerator<Uint8Array>,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  while (bytes <= wholeBytes) {
    const next = await stream.next();
    if (next.done === true) return Buffer.concat(held);
    held.push(next.value);
    bytes += next.value.byteLength;
  }
  return (async function* rest(): AsyncGenerator<Uint8Array> {
    try {
      yield* held;
      yield* stream;
    } finally {
      await stream.return(undefined);
    }
  })();
}
