import type { DuckDBConnection } from '@duckdb/node-api';
import { DuckDBTypeId } from '@duckdb/node-api';
import { cellKinds } from '../../../cells.ts';
import { EngineProblem, type IngestNotice } from '../../engine.ts';
import type { IngestRequest } from '../../messages.ts';
import { csvFormOf, type CsvForm } from './csv-form.ts';
import { rewriteCsv } from './csv-records.ts';
import { scanCsv, type QuoteFault, type RecordEnd } from './csv-scan.ts';
import type { FreshColumn } from '../write/decide.ts';
import { isNoRoom } from '../faults.ts';
import { keptOf } from '../kept.ts';
import { checkWidth } from '../write/layout.ts';
import { utf8File } from './encoding.ts';
import { givenNames, uniqueNames } from './names.ts';
import { identifier, literal } from '../quote.ts';
import { columnsOf, type StagedColumn } from '../write/statistics.ts';

type File = Extract<IngestRequest['source'], { readonly kind: 'file' }>;

/** The rows of a file where they lie. */
export interface FileRows {
  readonly relation: string;
  readonly columns: readonly FreshColumn[];
  /** How many rows the file has, by another count than that of the reader. */
  readonly count: number;
  readonly notices: readonly IngestNotice[];
}

/** How the reader of CSV writes the ends of records. */
const endNames = { '\n': String.raw`\n`, '\r\n': String.raw`\r\n`, '\r': String.raw`\r` } as const satisfies Record<
  RecordEnd,
  string
>;

const quoteFaults = {
  unclosed: 'a quote is opened here and never closed; the file may be cut off',
  followed: 'after this closing quote, there must be a delimiter or the end of the line; double a quote within a text',
} as const satisfies Record<QuoteFault['kind'], string>;

/** A CSV file in the one way of writing that its reader is sure to read right. */
interface PlainCsv {
  readonly path: string;
  readonly form: CsvForm;
  readonly end: RecordEnd;
  readonly rows: number;
  readonly notices: readonly IngestNotice[];
}

/** Counts what a CSV file has, and writes it again beside the target where it is written in another way. Raises EngineProblem `input` naming line and column. */
async function plainCsv(file: File, target: string): Promise<PlainCsv> {
  const { path, guessed } = await utf8File(file.path, file.charset, true, `${target}.utf8`);
  const form = csvFormOf(path, file.header, file.names ?? []);
  checkWidth(form.width);
  const { fault, ...scan } = await scanCsv(path, form.start, form.delimiter);
  if (fault !== null)
    throw new EngineProblem('input', `line ${fault.line}, column ${fault.column}: ${quoteFaults[fault.kind]}`);
  const [end = '\n', ...otherEnds] = scan.ends;
  const isPlain = otherEnds.length === 0 && !scan.hasSpacedQuotes && !form.namesDelimiter;
  const rewritten = `${target}.csv`;
  if (!isPlain) await rewriteCsv(path, form.start, form.delimiter, rewritten);
  return {
    ...{ form, path: isPlain ? path : rewritten, end: isPlain ? end : '\n' },
    // A blank line is a row where there is a single column.
    rows: scan.records + (form.width === 1 ? scan.blankBetween : 0) - (form.hasHeader ? 1 : 0),
    notices: [
      ...(guessed === null ? [] : [{ kind: 'encoding', encoding: guessed } as const]),
      ...(form.mayHaveHeader ? [{ kind: 'headerless' } as const] : []),
    ],
  };
}

/** What reads a CSV file: every cell as the text that it is, a quoted empty one as an empty text. */
async function csv(file: File, target: string, isAbreast: boolean): Promise<FileRows> {
  const { path, form, end, rows, notices } = await plainCsv(file, target);
  const found = form.names === null ? givenNames(file.names, form.width) : uniqueNames(form.names);
  if (found.some((name) => name.includes('\0')))
    throw new EngineProblem('input', 'it is not a file of this format: its first row has the character NUL');
  const texts = found.map((_, index) => `c${index}: 'VARCHAR'`);
  const options = [
    ...[literal(path), 'auto_detect = false', `delim = ${literal(form.delimiter)}`, `quote = '"'`, `escape = '"'`],
    ...[`comment = ''`, `skip = ${form.skip}`, `header = ${form.hasHeader}`, 'allow_quoted_nulls = false'],
    // Left to itself, the reader takes the first line feed or carriage return for the end of every record, even one in quotes.
    `new_line = ${literal(endNames[end])}`,
    `columns = {${texts.join(', ')}}`,
    `parallel = ${isAbreast}`,
  ];
  const columns = found.map((name, index) => ({ name, text: `c${index}`, kinds: cellKinds.any }));
  return { relation: `read_csv(${options.join(', ')})`, columns, count: rows, notices };
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
  const footer = await connection.runAndReadAll(
    `select coalesce(sum(num_rows), 0)::double from parquet_file_metadata(${literal(path)})`,
  );
  return {
    count: Number(footer.getRows()[0]?.[0]),
    notices: [],
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

/**
 * What reads a CSV or Parquet file; `isAbreast`: by several threads. Files that are written for it are named after the target. Raises
 * EngineProblem `input` naming what is wrong with the file.
 */
export const fileRows = async (
  connection: DuckDBConnection,
  file: File,
  target: string,
  isAbreast: boolean,
): Promise<FileRows> => (file.format === 'csv' ? csv(file, target, isAbreast) : parquet(connection, file));
