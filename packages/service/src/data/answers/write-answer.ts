import { randomUUID } from 'node:crypto';
import { maxSharedBytes } from '../cache/keep-rows.ts';
import { readStart, type RowFacts, type RowText } from './row-text.ts';

/**
 * `startedMs`: when answering started, as a value of `performance.now()`. `validatedMs`: how long the request was
 * validated.
 */
export interface AnswerTimes {
  readonly validatedMs: number;
  readonly startedMs: number;
}

const encoder = new TextEncoder();
const comma = encoder.encode(',');
const lineEnd = encoder.encode('\n');
const opening = encoder.encode('{"data":[');

const roundedMs = (ms: number): number => Math.max(0, Math.round(ms * 1000) / 1000);

/** Returns the part of the answer after the rows. */
function closing(
  { rows, truncated, cached, source, dataAsOf, preparedMs, queuedMs, queryMs }: RowFacts,
  { startedMs, validatedMs }: AnswerTimes,
): Uint8Array {
  const spentMs = performance.now() - startedMs;
  const performance_ = {
    validating: roundedMs(validatedMs),
    preparing: roundedMs(preparedMs),
    queuing: roundedMs(queuedMs),
    querying: roundedMs(queryMs),
    processing: roundedMs(spentMs - validatedMs - preparedMs - queuedMs - queryMs),
    rows,
  };
  const members = {
    query_id: randomUUID(),
    cached,
    truncated,
    source,
    ...(dataAsOf === null ? {} : { data_as_of: dataAsOf }),
    performance: performance_,
  };
  return encoder.encode(`],${JSON.stringify(members).slice(1)}`);
}

/** Yields the JSON object that answers one query. */
export async function* writtenAnswer(rows: RowText, times: AnswerTimes): AsyncGenerator<Uint8Array> {
  yield opening;
  const facts = yield* rows;
  yield closing(facts, times);
}

/** Yields several objects as one JSON array. Starts an object when the previous one is complete. */
export async function* writtenList(
  parts: AsyncIterable<AsyncIterable<Uint8Array> | string>,
): AsyncGenerator<Uint8Array> {
  yield encoder.encode('[');
  let isFirst = true;
  for await (const part of parts) {
    if (!isFirst) yield comma;
    isFirst = false;
    if (typeof part === 'string') yield encoder.encode(part);
    else yield* part;
  }
  yield encoder.encode(']');
}

/** Chunks of a line are joined up to this size, since each chunk is sent by a call of its own. */
const pieceBytes = 65_536;

/** Joins chunks to pieces of at least `pieceBytes`; the last piece may be smaller. */
async function* joined(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    bytes += chunk.byteLength;
    if (bytes < pieceBytes) continue;
    yield Buffer.concat(parts);
    parts = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(parts);
}

/** Yields an object as one line, with the index of the query as its first member. */
async function* writtenLine(index: number, object: AsyncIterable<Uint8Array> | string): AsyncGenerator<Uint8Array> {
  yield encoder.encode(`{"index":${index},`);
  // The opening brace of the object has been written before the index, so it is omitted here.
  if (typeof object === 'string') yield encoder.encode(object.slice(1));
  else {
    let isOpened = false;
    for await (const chunk of object) {
      yield isOpened ? chunk : chunk.subarray(1);
      isOpened = true;
    }
  }
  yield lineEnd;
}

/** Yields each object as one line, with the index of the query as its first member. */
export async function* writtenLines(
  parts: AsyncIterable<readonly [number, AsyncIterable<Uint8Array> | string]>,
): AsyncGenerator<Uint8Array> {
  for await (const [index, part] of parts) yield* joined(writtenLine(index, part));
}

/**
 * Maximum size of an answer that is sent at once, with a Content-Length. Every result that other callers may wait for
 * is smaller.
 */
const wholeBytes = opening.byteLength + maxSharedBytes;

/** Returns a short stream as bytes, and a longer stream as a stream. Raises errors at the start of the stream. */
export async function wholeOrStream(
  stream: AsyncGenerator<Uint8Array>,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const start = await readStart(stream, wholeBytes);
  return start.isWhole ? Buffer.concat(start.chunks) : start.stream;
}
