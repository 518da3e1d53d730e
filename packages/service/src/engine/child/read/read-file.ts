import type { DuckDBConnection } from '@duckdb/node-api';
import { DuckDBTypeId } from '@duckdb/node-api';
import { cellKinds } from '../../../cells.ts';
import { EngineProblem } from '../../engine.ts';
import type { IngestRequest } from '../../messages.ts';
import { csvFormOf } from './csv-form.ts';
import type { FreshColumn } from '../write/decide.ts';
import { isNoRoom } from '../faults.ts';
import { keptOf } from '../kept.ts';
import { checkWidth } from '../write/layout.ts';
import { givenNames, uniqueNames } from './names.ts';
import { identifier, literal } from '../quote.ts';
import { columnsOf, type StagedColumn } from '../write/statistics.ts';

type File = Extract<IngestRequest['source'], { readonly kind: 'file' }>;

/** The rows of a file where they lie. */
export interface FileRows {
  readonly relation: string;
  readonly columns: readonly FreshColumn[];
}

/** What reads a CSV file: every cell as the text that it is, a quoted empty one as an empty text. */
function csv({ path, header, names }: File, isAbreast: boolean): FileRows {
  const form = csvFormOf(path, header, names ?? []);
  checkWidth(form.width);
  const found = form.names === null ? givenNames(names, form.width) : uniqueNames(form.names);
  if (found.some((name) => name.includes('\0')))
    throw new EngineProblem('input', 'it is not a file of this format: its first row has the character NUL');
  const texts = found.map((_, index) => `c${index}: 'VARCHAR'`);
  const options = [
    ...[literal(path), 'auto_detect = false', `delim = ${literal(form.delimiter)}`, `quote = '"'`, `escape = '"'`],
    ...[`comment = ''`, `skip = ${form.skip}`, `header = ${form.hasHeader}`, 'allow_quoted_nulls = false'],
    `columns = {${texts.join(', ')}}`,
    `parallel = ${isAbreast}`,
  ];
  const columns = found.map((name, index) => ({ name, text: `c${index}`, kinds: cellKinds.any }));
  return { relation: `read_csv(${options.join(', ')})`, columns };
}

const kindOfKept = (column: StagedColumn): number => {
  const kept = keptOf(column.type);
  if (kept === 'boolean' || kept === 'json') return cellKinds[kept];
  return kept === 'integer' || kept === 'decimal' || kept === 'double' ? cellKinds.number : cellKinds.text;
};

/** How a column is written: types that the query compiler does not know become text or JSON. `isFine`: it has parts of microseconds. */
function plainCell({ name, type }: StagedColumn, isFine: boolean): string {
  const column = identifier(name);
  switch (type.typeId) {
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.STRUCT:
    case DuckDBTypeId.MAP:
    case DuckDBTypeId.ARRAY:
    case DuckDBTypeId.UNION:
      return `to_json(${column})`;
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

/** The columns that have nanoseconds, which no type of time that is kept holds. */
async function fineTimes(
  connection: DuckDBConnection,
  relation: string,
  columns: readonly StagedColumn[],
): Promise<ReadonlySet<string>> {
  const times = columns.filter(({ type }) => type.typeId === DuckDBTypeId.TIMESTAMP_NS).map(({ name }) => name);
  if (times.length === 0) return new Set();
  const asked = times.map((name) => `coalesce(bool_or(epoch_ns(${identifier(name)}) % 1000 <> 0), false)`);
  const said = (await connection.runAndReadAll(`select ${asked.join(', ')} from ${relation}`)).getRows()[0] ?? [];
  return new Set(times.filter((_, index) => said[index] === true));
}

async function parquet(connection: DuckDBConnection, { path }: File): Promise<FileRows> {
  const relation = `read_parquet(${literal(path)})`;
  const columns = await columnsOf(connection, relation);
  checkWidth(columns.length);
  const fine = await fineTimes(connection, relation, columns);
  const cells = columns.map((column) => `${plainCell(column, fine.has(column.name))} as ${identifier(column.name)}`);
  const plain = await columnsOf(connection, `(select ${cells.join(', ')} from ${relation})`);
  return {
    relation: `(select ${cells.join(', ')} from ${relation})`,
    columns: plain.map((column) => {
      const name = identifier(column.name);
      const type = column.type.alias ?? column.type.toString();
      return { name: column.name, text: `${name}::VARCHAR`, kinds: kindOfKept(column), native: { sql: name, type } };
    }),
  };
}

/** What is said of a line of a CSV file that cannot be read. */
function csvFault(text: string): string {
  const [, expected, found] = /Expected Number of Columns: (\d+) Found: (\d+)/u.exec(text) ?? [];
  if (expected !== undefined) return `has ${found} cells, there are ${expected} columns`;
  if (text.includes('unterminated quote')) return 'a quote is not closed, or something stands behind it';
  return /maximum line size/iu.test(text) ? 'longer than a line may be' : 'cannot be read';
}

/** Where and why a file cannot be read, as DuckDB says it. */
export function inputProblem(error: unknown): EngineProblem | null {
  if (isNoRoom(error) || error instanceof EngineProblem) return null;
  const text = error instanceof Error ? error.message : '';
  const line = /CSV Error on Line: (\d+)/u.exec(text)?.[1];
  if (line !== undefined) return new EngineProblem('input', `line ${line}: ${csvFault(text)}`);
  if (/state machine reached an invalid state/u.test(text))
    return new EngineProblem('input', 'its lines end in different ways; end all of them alike');
  return /^(?:Invalid Input|IO|Conversion|Parser) Error/u.test(text)
    ? new EngineProblem('input', 'it is not a file of this format, or it is damaged')
    : null;
}

/**
 * Whether DuckDB could not read a CSV: its threads begin anywhere in the file, and may take the middle of a quoted text for the start of
 * a row. It notices, and what one thread says is then true.
 */
export const isCsvTrouble = (error: unknown): boolean =>
  error instanceof Error && /CSV (?:Error on Line|Parser|Reader)/u.test(error.message);

/** What reads a CSV or Parquet file; `isAbreast`: by several threads. Raises EngineProblem `input` naming what is wrong with it. */
export const fileRows = async (connection: DuckDBConnection, file: File, isAbreast: boolean): Promise<FileRows> =>
  file.format === 'csv' ? csv(file, isAbreast) : parquet(connection, file);
