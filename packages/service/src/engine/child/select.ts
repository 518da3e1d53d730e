import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { Scalar } from '@inlay/query';
import type { ChildEnd, Output, SelectRequest } from '../messages.ts';
import type { Prepare } from './statements.ts';
import { textOf, type TextChunk } from './text-chunks.ts';

/** Sends bytes of an answer; resolves when the receiver accepts more. */
export type Send = (spans: readonly Uint8Array[], bytes: number) => Promise<void>;

function bind(statement: DuckDBPreparedStatement, params: readonly Scalar[]): void {
  for (const [index, value] of params.entries()) {
    const at = index + 1;
    if (value === null) statement.bindNull(at);
    else if (typeof value === 'string') statement.bindVarchar(at, value);
    else if (typeof value === 'boolean') statement.bindBoolean(at, value);
    else if (Number.isSafeInteger(value)) statement.bindBigInt(at, BigInt(value));
    else statement.bindDouble(at, value);
  }
}

/** Number of rows of a chunk that DuckDB has filled. */
const filledChunk = 2048;

/** Queries that wrap a statement: the concatenated texts of the wrapped rows are the answer. */
const wrappings = {
  /** `skip` is the number of bytes to omit at the start: the comma before the first row. */
  cells: { of: "concat(',', c)", skip: 1 },
  lines: { of: 'c', skip: 0 },
} as const satisfies Record<Exclude<Output, 'plan'>, { readonly of: string; readonly skip: number }>;

const withoutEnds = (spans: readonly Uint8Array[], skip: number, bytes: number): readonly Uint8Array[] => {
  let offset = 0;
  return spans.flatMap((span) => {
    const from = Math.max(0, skip - offset);
    const to = Math.min(span.length, bytes - offset);
    offset += span.length;
    return to > from ? [span.subarray(from, to)] : [];
  });
};

/** Returns how many rows of a chunk are within the remaining limits. */
function fitting(text: TextChunk, rows: number, leftRows: number, leftBytes: number): number {
  if (rows <= leftRows && text.bytes <= leftBytes) return rows;
  let lowest = 0;
  let highest = Math.min(rows, leftRows);
  while (lowest < highest) {
    const middle = Math.ceil((lowest + highest) / 2);
    if (text.bytesOf(middle) <= leftBytes) lowest = middle;
    else highest = middle - 1;
  }
  return lowest;
}

/** Sends the plan of a SELECT. Raises errors of DuckDB. */
async function explain(
  connection: DuckDBConnection,
  sql: string,
  params: readonly Scalar[],
  send: Send,
  startedMs: number,
): Promise<ChildEnd> {
  const statement = await connection.prepare(`explain (format json) ${sql}`);
  bind(statement, params);
  const rows = await (await statement.run()).getRows();
  const text = Buffer.from(rows.map(([, plan]) => String(plan)).join(''));
  await send([text], text.byteLength);
  return { op: 'select', rows: 1, truncated: false, queryMs: performance.now() - startedMs };
}

/** Runs a SELECT and sends its rows as text, truncated at the limits. Raises errors of DuckDB. */
export async function select(
  connection: DuckDBConnection,
  prepare: Prepare,
  { output, sql, params, rowLimit, byteLimit }: SelectRequest,
  send: Send,
): Promise<ChildEnd> {
  const startedMs = performance.now();
  if (output === 'plan') return explain(connection, sql, params, send, startedMs);
  const { of, skip: unsaid } = wrappings[output];
  const statement = await prepare(`select ${of} from (${sql}\n) q(c) limit ${rowLimit + 1}`);
  bind(statement, params);
  const result = await statement.stream();
  let rows = 0;
  let bytes = 0;
  let isTruncated = false;
  // DuckDB computes the next rows while the service sends these.
  const fetchNext = (): ReturnType<typeof result.fetchChunk> => {
    const fetchedChunk = result.fetchChunk();
    // The chunk is awaited later. Until then, this avoids an unhandled rejection.
    fetchedChunk.catch(() => undefined);
    return fetchedChunk;
  };
  let pendingChunk = fetchNext();
  try {
    for (;;) {
      const chunk = await pendingChunk;
      if (chunk === null || chunk.rowCount === 0) break;
      pendingChunk = fetchNext();
      // After a chunk that is not full, the end usually follows at once, and can be sent together with the rows.
      if (chunk.rowCount < filledChunk) await pendingChunk;
      const text = textOf(chunk);
      const rowCount = fitting(text, chunk.rowCount, rowLimit - rows, byteLimit - bytes);
      isTruncated = rowCount < chunk.rowCount;
      const length = isTruncated ? text.bytesOf(rowCount) : text.bytes;
      const skip = rows === 0 ? Math.min(unsaid, length) : 0;
      if (length > skip)
        await send(isTruncated || skip > 0 ? withoutEnds(text.spans, skip, length) : text.spans, length - skip);
      rows += rowCount;
      bytes += length;
      if (isTruncated) break;
    }
  } finally {
    // A connection must not be closed during a fetch, so the fetch ends first. A truncated statement's connection is
    // not reused.
    if (isTruncated) connection.interrupt();
    await pendingChunk.catch(() => undefined);
  }
  return { op: 'select', rows, truncated: isTruncated, queryMs: performance.now() - startedMs };
}
