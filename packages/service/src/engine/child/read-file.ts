import type { DuckDBConnection } from '@duckdb/node-api';
import type { Kept } from '@inlay/query';
import { EngineProblem } from '../engine.ts';
import type { IngestRequest } from '../messages.ts';
import { typeOf } from './kept.ts';
import { identifier, literal } from './quote.ts';

type File = Extract<IngestRequest['source'], { readonly kind: 'file' }>;
type Overrides = readonly (readonly [string, Kept])[];

/** A decimal of a file has as many places as its text; nine are kept. */
const columnType = (kept: Kept): string => typeOf[kept];

function csv({ path, header }: File, overrides: Overrides, wholeFile: boolean): string {
  const options = [
    literal(path),
    `types = {${overrides.map(([name, kept]) => `${literal(name)}: ${literal(columnType(kept))}`).join(', ')}}`,
    ...(header === null ? [] : [`header = ${header}`]),
    ...(wholeFile ? ['sample_size = -1'] : []),
  ];
  return `read_csv(${options.filter((option) => option !== 'types = {}').join(', ')})`;
}

/** What reads the file; `wholeFile`: types are detected from all of it, not from its first rows. */
function reader(file: File, overrides: Overrides, wholeFile: boolean): string {
  if (file.format === 'csv') return `from ${csv(file, overrides, wholeFile)}`;
  const path = literal(file.path);
  const rows =
    file.format === 'parquet'
      ? `read_parquet(${path})`
      : `read_json(${path}, format = 'newline_delimited'${wholeFile ? ', sample_size = -1' : ''})`;
  const casts = overrides.map(([name, kept]) => `${identifier(name)}::${columnType(kept)} as ${identifier(name)}`);
  return casts.length === 0 ? `from ${rows}` : `select * replace (${casts.join(', ')}) from ${rows}`;
}

/** Where and why a file cannot be read, as DuckDB says it: line, column, and what was expected there. */
function inputProblem(error: unknown): EngineProblem | null {
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

/** Makes a table of a file. What its first rows did not show is found in a second reading. Raises EngineProblem `input`. */
export async function readFile(
  connection: DuckDBConnection,
  target: string,
  file: File,
  overrides: Overrides,
): Promise<void> {
  const read = (wholeFile: boolean): Promise<unknown> =>
    connection.run(`create or replace table ${target} as ${reader(file, overrides, wholeFile)}`);
  try {
    await read(false);
  } catch (first) {
    if (inputProblem(first) === null || file.format === 'parquet') throw inputProblem(first) ?? first;
    try {
      await read(true);
    } catch (second) {
      throw inputProblem(second) ?? second;
    }
  }
}
