import type { DuckDBConnection } from '@duckdb/node-api';
import type { Kept } from '@inlay/query';
import { isObject } from '@inlay/contract';
import { EngineProblem, mostColumns } from '../engine.ts';
import type { IngestRequest } from '../messages.ts';
import { isNoRoom } from './faults.ts';
import { typeOf } from './kept.ts';
import { linesOfJson } from './lines-of-json.ts';
import { identifier, literal } from './quote.ts';

type File = Extract<IngestRequest['source'], { readonly kind: 'file' }>;
type Overrides = readonly (readonly [string, Kept])[];

/** A decimal of a file has as many places as its text; nine are kept. */
const columnType = (kept: Kept): string => typeOf[kept];

const structOf = (columns: readonly (readonly [string, string])[]): string =>
  `{${columns.map(([name, type]) => `${literal(name)}: ${literal(type)}`).join(', ')}}`;

/** Raises EngineProblem `input` where a file has more columns than a dataset may, naming the first that is too much. */
export function checkWidth(columns: number): void {
  if (columns > mostColumns)
    throw new EngineProblem(
      'input',
      `row 1, column ${mostColumns + 1}: there are ${columns} columns, at most ${mostColumns} are taken`,
    );
}

/** What DuckDB says of a dialect's character where there is none. */
const none = '(empty)';

/** The columns that DuckDB found, as it writes them: a list of structs. */
function columnsFound(text: unknown): readonly (readonly [string, string])[] {
  const found: unknown = typeof text === 'string' ? JSON.parse(text) : [];
  return (Array.isArray(found) ? found : []).flatMap((one: unknown) =>
    isObject(one) && typeof one['name'] === 'string' && typeof one['type'] === 'string'
      ? [[one['name'], one['type']] as const]
      : [],
  );
}

/**
 * What reads a CSV file: its dialect and types are found here once, and then said in every statement that reads it. A file in
 * whose first rows nothing is quoted may have quotes further down.
 */
async function csv(
  connection: DuckDBConnection,
  { path, header }: File,
  overrides: Overrides,
  wholeFile: boolean,
): Promise<string> {
  const told = [
    literal(path),
    ...(overrides.length === 0
      ? []
      : [`types = ${structOf(overrides.map(([name, kept]) => [name, columnType(kept)]))}`]),
    ...(header === null ? [] : [`header = ${header}`]),
    ...(wholeFile ? ['sample_size = -1'] : []),
  ];
  const reader = await connection.runAndReadAll(
    `select Delimiter, Quote, "Escape", NewLineDelimiter, Comment, SkipRows::varchar, HasHeader, DateFormat, TimestampFormat, to_json(Columns)::varchar
    from sniff_csv(${told.join(', ')})`,
  );
  const [delimiter, quote, escape, newLine, comment, skip, hasHeader, dates, times, columns] =
    reader.getRows()[0] ?? [];
  const found = columnsFound(columns);
  checkWidth(found.length);
  const character = (said: unknown, otherwise: string): string =>
    literal(typeof said === 'string' && said !== none ? said : otherwise);
  const unquoted = quote === none && !wholeFile;
  const options = [
    literal(path),
    'auto_detect = false',
    `delim = ${character(delimiter, ',')}`,
    `quote = ${character(quote, unquoted ? '"' : '')}`,
    `escape = ${character(escape, unquoted ? '"' : '')}`,
    ...(typeof newLine === 'string' && /^(?:\\[rn])+$/u.test(newLine) ? [`new_line = ${literal(newLine)}`] : []),
    `comment = ${character(comment, '')}`,
    `skip = ${Number(skip)}`,
    `header = ${hasHeader === true}`,
    `columns = ${structOf(found)}`,
    ...(typeof dates === 'string' ? [`dateformat = ${literal(dates)}`] : []),
    ...(typeof times === 'string' ? [`timestampformat = ${literal(times)}`] : []),
  ];
  return `read_csv(${options.join(', ')})`;
}

/** What reads the file; `wholeFile`: types are detected from all of it, not from its first rows. */
async function relation(
  connection: DuckDBConnection,
  file: File,
  overrides: Overrides,
  wholeFile: boolean,
): Promise<string> {
  if (file.format === 'csv') return csv(connection, file, overrides, wholeFile);
  const path = literal(file.path);
  const rows =
    file.format === 'parquet'
      ? `read_parquet(${path})`
      : `read_json(${path}, ${linesOfJson}${wholeFile ? ', sample_size = -1' : ''})`;
  const casts = overrides.map(([name, kept]) => `${identifier(name)}::${columnType(kept)} as ${identifier(name)}`);
  return casts.length === 0 ? rows : `(select * replace (${casts.join(', ')}) from ${rows})`;
}

/** Whether DuckDB's error names the line of a CSV file whose cells do not fit its types. */
export const namesLine = (error: unknown): boolean =>
  error instanceof Error && /^[A-Za-z ]+ Error: CSV Error on Line: \d/u.test(error.message);

/** Where and why a file cannot be read, as DuckDB says it: line, column, and what was expected there. */
function inputProblem(error: unknown): EngineProblem | null {
  if (isNoRoom(error)) return null;
  const text = error instanceof Error ? error.message : '';
  const line = /(?:CSV Error on Line: |in line |at line |line )(\d+)/u.exec(text)?.[1];
  const column = /Error when converting column "([^"]+)"/u.exec(text)?.[1] ?? /column "([^"]+)"/u.exec(text)?.[1];
  const expected = /to '?([A-Z][A-Z0-9_]+)/u.exec(text)?.[1];
  const what = expected === undefined ? 'cannot be read' : `not a value of the type ${expected}`;
  if (line === undefined && column === undefined)
    return /^(?:Invalid Input|IO|Conversion|Parser) Error/u.test(text)
      ? new EngineProblem('input', 'it is not a file of this format, or it is damaged')
      : null;
  const at = [...(line === undefined ? [] : [`line ${line}`]), ...(column === undefined ? [] : [`column ${column}`])];
  return new EngineProblem('input', `${at.join(', ')}: ${what}`);
}

/**
 * Works with a relation of the file's rows, and once more with types detected from all of it where its first rows did not show
 * what comes: what the first attempt left is for `work` to remove. Raises EngineProblem `input` naming line and column.
 */
export async function withFile<Given>(
  connection: DuckDBConnection,
  file: File,
  overrides: Overrides,
  work: (relation: string) => Promise<Given>,
): Promise<Given> {
  const attempt = async (wholeFile: boolean): Promise<Given> =>
    work(await relation(connection, file, overrides, wholeFile));
  try {
    return await attempt(false);
  } catch (first) {
    if (inputProblem(first) === null || file.format === 'parquet') throw inputProblem(first) ?? first;
    try {
      return await attempt(true);
    } catch (second) {
      throw inputProblem(second) ?? second;
    }
  }
}
