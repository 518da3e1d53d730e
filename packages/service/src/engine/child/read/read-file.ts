import type { DuckDBConnection } from '@duckdb/node-api';
import { cellKinds } from '../../../cells/cells.ts';
import { EngineProblem, type IngestNotice } from '../../engine.ts';
import { csvFormOf, cutBlankEnd, type CsvForm } from './csv-form.ts';
import { rewriteCsv } from './csv-records.ts';
import { scanCsv, type QuoteFault, type RecordEnd } from './csv-scan.ts';
import { isNoRoom } from '../faults.ts';
import { checkWidth } from '../write/layout.ts';
import { utf8File } from './encoding.ts';
import type { FileRows, SourceFile } from './file-rows.ts';
import { givenNames, uniqueNames } from './names.ts';
import { parquet, parquetFault } from './parquet.ts';
import { literal } from '../quote.ts';

/** Line endings in the options of DuckDB's CSV reader. */
const endNames = { '\n': String.raw`\n`, '\r\n': String.raw`\r\n`, '\r': String.raw`\r` } as const satisfies Record<
  RecordEnd,
  string
>;

const quoteFaults = {
  unclosed: 'a quote is opened here and never closed; the file may be cut off',
  followed: 'after this closing quote, there must be a delimiter or the end of the line; double a quote within a text',
} as const satisfies Record<QuoteFault['kind'], string>;

/** A CSV file in the normalized format that DuckDB reads correctly. */
export interface PlainCsv {
  readonly path: string;
  readonly form: CsvForm;
  readonly end: RecordEnd;
  readonly rows: number;
  readonly notices: readonly IngestNotice[];
}

/**
 * Scans a CSV file. Writes a normalized copy next to the target if DuckDB does not support the format of the file. With
 * `asIs`, a file with a single column is copied too, because blank lines are cut off at its end. Raises EngineProblem
 * `input` that names line and column.
 */
export async function plainCsv(
  file: Pick<SourceFile, 'path' | 'charset' | 'header' | 'names'>,
  target: string,
  asIs = false,
): Promise<PlainCsv> {
  const { path, guessed } = await utf8File(file.path, file.charset, true, `${target}.utf8`);
  const form = csvFormOf(path, file.header, file.names ?? []);
  checkWidth(form.width);
  const { fault, ...scan } = await scanCsv(path, form.start, form.delimiter);
  if (fault !== null)
    throw new EngineProblem('input', `line ${fault.line}, column ${fault.column}: ${quoteFaults[fault.kind]}`);
  const [end = '\n', ...otherEnds] = scan.ends;
  const isSingle = form.width === 1;
  const isPlain = otherEnds.length === 0 && !scan.hasSpacedQuotes && !form.hasPreamble && !(asIs && isSingle);
  const rewrittenPath = `${target}.csv`;
  if (!isPlain) await rewriteCsv(path, form.start, form.delimiter, rewrittenPath);
  if (isSingle) cutBlankEnd(isPlain ? path : rewrittenPath);
  return {
    form,
    path: isPlain ? path : rewrittenPath,
    end: isPlain ? end : '\n',
    // A blank line is a row if there is only one column.
    rows: scan.records + (isSingle ? scan.blankBetween : 0) - (form.hasHeader ? 1 : 0),
    notices: [
      ...(guessed === null ? [] : [{ kind: 'encoding', encoding: guessed } as const]),
      ...(form.mayHaveHeader ? [{ kind: 'headerless' } as const] : []),
    ],
  };
}

/** DuckDB options to read a CSV file. */
export const dialectOf = (form: CsvForm, end: RecordEnd): readonly string[] => [
  `delim = ${literal(form.delimiter)}`,
  `quote = '"'`,
  `escape = '"'`,
  `comment = ''`,
  `skip = ${form.skip}`,
  `header = ${form.hasHeader}`,
  // Without this option, DuckDB takes the first line feed or carriage return as the line ending of the file, even if it
  // is within quotes.
  `new_line = ${literal(endNames[end])}`,
];

/** Returns the column names of a CSV file. Raises EngineProblem `input`. */
export function csvNames(form: CsvForm, names: SourceFile['names']): readonly string[] {
  const columnNames = form.names === null ? givenNames(names, form.width) : uniqueNames(form.names);
  if (columnNames.some((name) => name.includes('\0')))
    throw new EngineProblem('input', 'it is not a file of this format: its first row has the character NUL');
  return columnNames;
}

/** Reads a CSV file with all cells as text; a quoted empty cell is an empty text, not null. */
async function csv(file: SourceFile, target: string, isAbreast: boolean): Promise<FileRows> {
  const { path, form, end, rows, notices } = await plainCsv(file, target);
  const names = csvNames(form, file.names);
  const texts = names.map((_, index) => `c${index}: 'VARCHAR'`);
  const options = [
    literal(path),
    'auto_detect = false',
    ...dialectOf(form, end),
    'allow_quoted_nulls = false',
    `columns = {${texts.join(', ')}}`,
    `parallel = ${isAbreast}`,
  ];
  const columns = names.map((name, index) => ({ name, text: `c${index}`, kinds: cellKinds.any }));
  return { relation: `read_csv(${options.join(', ')})`, columns, count: rows, notices };
}

/** Message for a line of a CSV file that cannot be read. */
function csvFault(text: string): string {
  const [, expectedCount, actualCount] = /Expected Number of Columns: (\d+) Found: (\d+)/u.exec(text) ?? [];
  if (expectedCount !== undefined) return `has ${actualCount} cells, there are ${expectedCount} columns`;
  if (text.includes('unterminated quote')) return 'a quote is not closed, or something stands behind it';
  return /maximum line size/iu.test(text) ? 'longer than a line may be' : 'cannot be read';
}

/** Converts an error of a DuckDB reader to a problem that names position and reason; returns null for other errors. */
export function inputProblem(error: unknown): EngineProblem | null {
  if (isNoRoom(error) || error instanceof EngineProblem) return null;
  const text = error instanceof Error ? error.message : '';
  const line = /CSV Error on Line: (\d+)/u.exec(text)?.[1];
  if (line !== undefined) return new EngineProblem('input', `line ${line}: ${csvFault(text)}`);
  if (/state machine reached an invalid state/u.test(text))
    return new EngineProblem('input', 'its lines end in different ways; end all of them alike');
  const knownFault = parquetFault(text);
  if (knownFault !== null) return new EngineProblem('input', knownFault);
  return /^(?:Invalid|Invalid Input|IO|Conversion|Parser|Not implemented) Error/u.test(text)
    ? new EngineProblem('input', 'it is not a file of this format, or it is damaged')
    : null;
}

/**
 * True for an error of parallel CSV reading: a thread may start within a quoted text and take it for the start of a
 * row. DuckDB detects this, and reading with one thread then succeeds or reports the real fault.
 */
export const isCsvTrouble = (error: unknown): boolean =>
  error instanceof Error && /CSV (?:Error on Line|Parser|Reader)/u.test(error.message);

/**
 * Prepares reading a CSV or Parquet file, with several threads if `isAbreast`. Names temporary files after the target.
 * Raises EngineProblem `input` that describes the fault of the file.
 */
export const fileRows = async (
  connection: DuckDBConnection,
  file: SourceFile,
  target: string,
  isAbreast: boolean,
): Promise<FileRows> => (file.format === 'csv' ? csv(file, target, isAbreast) : parquet(connection, file.path));
