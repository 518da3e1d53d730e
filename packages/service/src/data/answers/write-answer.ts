import { randomUUID } from 'node:crypto';
import { mostShared } from '../cache/keep-rows.ts';
import { readStart, type RowFacts, type RowText } from './row-text.ts';

/** When answering began, in milliseconds of `performance.now()`, and how long its request took to validate. */
export interface AnswerTimes {
  readonly validatedMs: number;
  readonly startedMs: number;
}

const encoder = new TextEncoder();
const comma = encoder.encode(',');
const lineEnd = encoder.encode('\n');
const opening = encoder.encode('{"data":[');

const rounded = (ms: number): number => Math.max(0, Math.round(ms * 1000) / 1000);

/** Everything behind the rows. */
function closing(
  { rows, truncated, cached, source, preparedMs, queuedMs, queryMs }: RowFacts,
  { startedMs, validatedMs }: AnswerTimes,
): Uint8Array {
  const spentMs = performance.now() - startedMs;
  const performance_ = {
    validating: rounded(validatedMs),
    preparing: rounded(preparedMs),
    queuing: rounded(queuedMs),
    querying: rounded(queryMs),
    processing: rounded(spentMs - validatedMs - preparedMs - queuedMs - queryMs),
    rows,
  };
  const members = { query_id: randomUUID(), cached, truncated, source, performance: performance_ };
  return encoder.encode(`],${JSON.stringify(members).slice(1)}`);
}

/** The JSON object that answers one query, in pieces. */
export async function* writtenAnswer(rows: RowText, times: AnswerTimes): AsyncGenerator<Uint8Array> {
  yield opening;
  const facts = yield* rows;
  yield closing(facts, times);
}

/** Several objects as one JSON list. Takes each when those before it are written. */
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

/** Objects as one line each, with the index of the query as their first member. */
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

/** Answers up to this size are sent whole, with their length: among them all rows that other callers may wait for. */
const wholeBytes = opening.byteLength + mostShared;

/** A short stream as its bytes, a longer one as it is. Raises what the stream raises at its start. */
export async function wholeOrStream(
  stream: AsyncGenerator<Uint8Array>,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const start = await readStart(stream, wholeBytes);
  return start.isWhole ? Buffer.concat(start.chunks) : start.stream;
}
