import { DuckDBTypeId, type DuckDBConnection, type DuckDBPreparedStatement, type DuckDBType } from '@duckdb/node-api';
import type { Scalar } from '@inlay/query';
import type { ChildEnd, Output, SelectRequest } from '../messages.ts';
import { identifier, literal } from './quote.ts';
import { textOf, type TextChunk } from './text-chunks.ts';

/** Where the bytes of an answer go: resolves when there is room for more. */
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

const plainInCsv = new Set([DuckDBTypeId.BOOLEAN, DuckDBTypeId.DATE, DuckDBTypeId.DOUBLE, DuckDBTypeId.DECIMAL]);

const isTime = ({ typeId }: DuckDBType): boolean =>
  typeId === DuckDBTypeId.TIMESTAMP || typeId === DuckDBTypeId.TIMESTAMP_TZ;

const isoText = (cell: string): string => `strftime(${cell}::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%gZ')`;

/** A cell of a CSV file: null is empty, text always quoted, times ISO 8601 in UTC. */
function csvCell(type: DuckDBType, cell: string): string {
  if (isTime(type)) return isoText(cell);
  if (plainInCsv.has(type.typeId) || type.typeId <= DuckDBTypeId.UBIGINT) return `${cell}::VARCHAR`;
  return `'"' || replace(${cell}::VARCHAR, '"', '""') || '"'`;
}

interface Wrapped {
  readonly sql: string;
  /** What stands before the rows. */
  readonly head: string;
  /** Bytes at the start of the rows that are left out. */
  readonly skip: number;
}

/** The statement in a form whose rows are texts that make the answer when put one behind the other. */
async function wrap(connection: DuckDBConnection, output: Output, sql: string, limit: number): Promise<Wrapped> {
  if (output === 'cells')
    return { sql: `select concat(',', c) from (${sql}\n) q(c) limit ${limit}`, head: '', skip: 1 };
  const shape = await connection.prepare(sql);
  const columns = Array.from({ length: shape.columnCount }, (_, index) => ({
    name: shape.columnName(index),
    type: shape.columnType(index),
    cell: `q.c${index}`,
  }));
  shape.destroySync();
  const from = `(${sql}\n) q(${columns.map((_, index) => `c${index}`).join(', ')}) limit ${limit}`;
  if (output === 'ndjson') {
    const members = columns.map(({ name, type, cell }) => `${literal(name)}, ${isTime(type) ? isoText(cell) : cell}`);
    return {
      sql: `select concat(json_object(${members.join(', ')})::VARCHAR, chr(10)) from ${from}`,
      head: '',
      skip: 0,
    };
  }
  const cells = columns.map(({ type, cell }) => `coalesce(${csvCell(type, cell)}, '')`);
  return {
    sql: `select concat(concat_ws(',', ${cells.join(', ')}), chr(13), chr(10)) from ${from}`,
    head: `${columns.map(({ name }) => identifier(name)).join(',')}\r\n`,
    skip: 0,
  };
}

const without = (spans: readonly Uint8Array[], skip: number, bytes: number): readonly Uint8Array[] => {
  let before = 0;
  return spans.flatMap((span) => {
    const from = Math.max(0, skip - before);
    const to = Math.min(span.length, bytes - before);
    before += span.length;
    return to > from ? [span.subarray(from, to)] : [];
  });
};

/** How many of a chunk's rows fit into what is left of the limits. */
function fitting(text: TextChunk, rows: number, leftRows: number, leftBytes: number): number {
  if (rows <= leftRows && text.bytes <= leftBytes) return rows;
  let low = 0;
  let high = Math.min(rows, leftRows);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (text.bytesOf(middle) <= leftBytes) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Runs a SELECT and sends its rows as text, cut at the limits. Raises what DuckDB raises. */
export async function select(
  connection: DuckDBConnection,
  { output, sql, params, rowLimit, byteLimit }: SelectRequest,
  send: Send,
): Promise<ChildEnd> {
  const startedMs = performance.now();
  const wrapped = await wrap(connection, output, sql, rowLimit + 1);
  const statement = await connection.prepare(wrapped.sql);
  bind(statement, params);
  const result = await statement.stream();
  let rows = 0;
  let bytes = 0;
  let truncated = false;
  if (wrapped.head !== '') await send([Buffer.from(wrapped.head)], Buffer.byteLength(wrapped.head));
  while (!truncated) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    const text = textOf(chunk);
    const taken = fitting(text, chunk.rowCount, rowLimit - rows, byteLimit - bytes);
    truncated = taken < chunk.rowCount;
    const length = truncated ? text.bytesOf(taken) : text.bytes;
    const skip = rows === 0 ? Math.min(wrapped.skip, length) : 0;
    if (length > skip)
      await send(truncated || skip > 0 ? without(text.spans, skip, length) : text.spans, length - skip);
    rows += taken;
    bytes += length;
  }
  return { op: 'select', rows, truncated, queryMs: performance.now() - startedMs };
}
