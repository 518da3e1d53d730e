import { DuckDBTypeId, type DuckDBConnection } from '@duckdb/node-api';
import { cellKinds } from '../../../cells/cells.ts';
import { EngineProblem } from '../../engine.ts';
import { storageTypeOf } from '../storage-types.ts';
import { identifier, literal } from '../quote.ts';
import { checkWidth } from '../write/layout.ts';
import { columnsOf, type StagedColumn } from '../write/statistics.ts';
import type { FileRows } from './file-rows.ts';

const compressions = new Set(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'ZSTD', 'LZ4_RAW']);
const writtenSo = {
  compression: 'write the file with the compression snappy, zstd, gzip or none',
  encoding: 'write the column with the encoding PLAIN or a dictionary',
  digits: 'write it as a text, or with at most 38 digits',
} as const;

/** Digits of DuckDB's largest decimal type. */
const maxDigits = 38;

/** Raises EngineProblem `input` with the first column whose compression, encoding or type is not supported. */
async function checkParquet(connection: DuckDBConnection, path: string): Promise<void> {
  const chunks = await connection.runAndReadAll(
    `select distinct path_in_schema, type, compression, encodings from parquet_metadata(${literal(path)})`,
  );
  const fault = (column: unknown, message: string): EngineProblem =>
    new EngineProblem('input', `column ${String(column)}: ${message}`);
  for (const [column, type, compression, encodings] of chunks.getRows()) {
    if (!compressions.has(String(compression)))
      throw fault(column, `the compression ${String(compression)} is not read; ${writtenSo.compression}`);
    const isSplit = String(encodings).includes('BYTE_STREAM_SPLIT');
    if (isSplit && type !== 'FLOAT' && type !== 'DOUBLE')
      throw fault(column, `the encoding BYTE_STREAM_SPLIT of ${String(type)} is not read; ${writtenSo.encoding}`);
  }
  const wideColumns = await connection.runAndReadAll(
    `select name, precision, scale from parquet_schema(${literal(path)}) where precision > ${maxDigits}`,
  );
  const [wideColumn] = wideColumns.getRows();
  if (wideColumn === undefined) return;
  const [column, precision, scale] = wideColumn;
  throw fault(column, `the type DECIMAL(${String(precision)}, ${String(scale)}) is not read; ${writtenSo.digits}`);
}

/** Messages for errors of the Parquet reader. */
const faults: readonly (readonly [RegExp, string])[] = [
  [/is encrypted/u, 'it is encrypted; write it without encryption'],
  [/No magic bytes|too small to be a Parquet/u, 'it is not a Parquet file, or its end is missing; it may be cut off'],
  [
    /[Uu]nsupported (?:page )?encoding|encoding is only supported/u,
    `it has an encoding that is not read; ${writtenSo.encoding}`,
  ],
  [/[Uu]nsupported compression/u, `it has a compression that is not read; ${writtenSo.compression}`],
  [
    /(?:[Uu]nsupported|[Uu]nrecognized|[Uu]nknown) (?:Parquet |logical |converted )?type/u,
    'it has a type that is not read; write the column as a text, number or time',
  ],
];

/** Returns the message for an error of the Parquet reader; null if unknown. */
export const parquetFault = (text: string): string | null =>
  faults.find(([pattern]) => pattern.test(text))?.[1] ?? null;

const kindOfKept = (column: StagedColumn): number => {
  const storageType = storageTypeOf(column.type);
  if (storageType === 'boolean' || storageType === 'json') return cellKinds[storageType];
  return storageType === 'integer' || storageType === 'decimal' || storageType === 'double'
    ? cellKinds.number
    : cellKinds.text;
};

/**
 * Returns SQL that converts a column to a type that the query compiler knows: other types become text or JSON. `isFine`
 * is true if the column has fractions of microseconds.
 */
function plainCell({ name, type }: StagedColumn, isFine: boolean): string {
  const column = identifier(name);
  switch (type.typeId) {
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.STRUCT:
    case DuckDBTypeId.MAP:
    case DuckDBTypeId.ARRAY:
    case DuckDBTypeId.UNION:
      return `to_json(${column})`;
    case DuckDBTypeId.VARIANT:
      return `nullif(${column}::JSON::VARCHAR, 'null')::JSON`;
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
      return `${column}::TIMESTAMP`;
    case DuckDBTypeId.TIMESTAMP_NS:
      return `${column}::${isFine ? 'VARCHAR' : 'TIMESTAMP'}`;
    case DuckDBTypeId.FLOAT:
      return `${column}::DOUBLE`;
    case DuckDBTypeId.BLOB:
    case DuckDBTypeId.BIT:
    case DuckDBTypeId.TIME:
    case DuckDBTypeId.TIME_TZ:
    case DuckDBTypeId.INTERVAL:
    case DuckDBTypeId.UUID:
    case DuckDBTypeId.ENUM:
      return `${column}::VARCHAR`;
    default:
      return column;
  }
}

/** Returns the columns that have fractions of microseconds, which no stored time type can represent. */
async function fineTimes(
  connection: DuckDBConnection,
  relation: string,
  columns: readonly StagedColumn[],
): Promise<ReadonlySet<string>> {
  const times = columns.filter(({ type }) => type.typeId === DuckDBTypeId.TIMESTAMP_NS).map(({ name }) => name);
  if (times.length === 0) return new Set();
  const tests = times.map((name) => `coalesce(bool_or(epoch_ns(${identifier(name)}) % 1000 <> 0), false)`);
  const results = (await connection.runAndReadAll(`select ${tests.join(', ')} from ${relation}`)).getRows()[0] ?? [];
  return new Set(times.filter((_, index) => results[index] === true));
}

const nestedTypes = new Set([
  DuckDBTypeId.LIST,
  DuckDBTypeId.STRUCT,
  DuckDBTypeId.MAP,
  DuckDBTypeId.ARRAY,
  DuckDBTypeId.UNION,
]);

/** Number of rows in a vector of DuckDB. */
const vectorRows = 2048;
/**
 * Limits in bytes. A vector whose nested values take more than `vector` is split into parts of about `part` bytes,
 * since they take up to twenty times as much as JSON.
 */
const nestedBytes = { vector: 3 * 1024 ** 2, part: 1024 ** 2 };

/** Returns how many rows to convert to JSON at once. A vector never spans two row groups. */
async function rowsTogether(connection: DuckDBConnection, path: string): Promise<number> {
  const reader = await connection.runAndReadAll(
    `select max(bytes / rows)::double, max(bytes / rows * least(rows, ${vectorRows}))::double
      from (select sum(total_uncompressed_size) as bytes, max(row_group_num_rows) as rows
      from parquet_metadata(${literal(path)}) group by row_group_id) where rows > 0`,
  );
  const [row = 0, vector = 0] = (reader.getRows()[0] ?? []).map(Number);
  return vector <= nestedBytes.vector ? Infinity : Math.max(1, Math.floor(nestedBytes.part / row));
}

/** Prepares reading a Parquet file. Raises EngineProblem `input` for unsupported columns. */
export async function parquet(connection: DuckDBConnection, path: string): Promise<FileRows> {
  await checkParquet(connection, path);
  const relation = `read_parquet(${literal(path)})`;
  const columns = await columnsOf(connection, relation);
  checkWidth(columns.length);
  const fineColumns = await fineTimes(connection, relation, columns);
  const cells = columns.map(
    (column) => `${plainCell(column, fineColumns.has(column.name))} as ${identifier(column.name)}`,
  );
  const plainColumns = await columnsOf(connection, `(select ${cells.join(', ')} from ${relation})`);
  const footer = await connection.runAndReadAll(
    `select coalesce(sum(num_rows), 0)::double from parquet_file_metadata(${literal(path)})`,
  );
  const isNested = columns.some(({ type }) => nestedTypes.has(type.typeId));
  const rowsAtOnce = isNested ? await rowsTogether(connection, path) : Infinity;
  return {
    ...(rowsAtOnce < vectorRows ? { parts: { raw: relation, cells: cells.join(', '), rows: rowsAtOnce } } : {}),
    count: Number(footer.getRows()[0]?.[0]),
    notices: [],
    relation: `(select ${cells.join(', ')} from ${relation})`,
    columns: plainColumns.map((column) => {
      const name = identifier(column.name);
      const type = column.type.alias ?? column.type.toString();
      return { name: column.name, text: `${name}::VARCHAR`, kinds: kindOfKept(column), native: { sql: name, type } };
    }),
  };
}
