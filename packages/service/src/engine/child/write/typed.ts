import { DuckDBDecimalType, type DuckDBConnection } from '@duckdb/node-api';
import type { StorageType } from '@inlay/query';
import { EngineProblem } from '../../engine.ts';
import type { IngestRequest } from '../../messages.ts';
import { identifier, literal } from '../quote.ts';
import type { BaseVersion } from './base.ts';
import { decimalDigits, finalType, stagedAs } from './load.ts';

type TypedSource = Extract<IngestRequest['source'], { readonly kind: 'typed' }>;

/** Times without an end, such as `infinity` of PostgreSQL, have no value in a dataset. */
const finiteTypes = new Set<StorageType>(['date', 'timestamp', 'timestamptz']);

/**
 * Reads a CSV file whose columns have known types into a table. Cells are quoted where they contain a comma, a quote or
 * a line end; an empty cell without quotes is null.
 */
export async function stageTyped(
  connection: DuckDBConnection,
  table: string,
  { path, columns }: TypedSource,
  isAbreast: boolean,
): Promise<void> {
  const types = columns.map(({ storageType }, index) => `c${index}: '${stagedAs[storageType]}'`);
  const options = [
    literal(path),
    'auto_detect = false',
    `delim = ','`,
    `quote = '"'`,
    `escape = '"'`,
    `comment = ''`,
    'header = false',
    `new_line = '\\n'`,
    `nullstr = ''`,
    'allow_quoted_nulls = false',
    `columns = {${types.join(', ')}}`,
    `parallel = ${isAbreast}`,
  ];
  await connection.run(`create or replace table ${table} as from read_csv(${options.join(', ')})`);
}

/**
 * Raises EngineProblem `input` if decimals have more digits than their column in the version, since a cast would round
 * them.
 */
async function mustFit(
  connection: DuckDBConnection,
  table: string,
  index: number,
  { name, type }: BaseVersion['columns'][number],
): Promise<void> {
  const digits = await decimalDigits(connection, table, index);
  const fits =
    digits !== null &&
    type instanceof DuckDBDecimalType &&
    digits.scale <= type.scale &&
    digits.whole <= type.width - type.scale;
  if (!fits) throw new EngineProblem('input', `column ${name}: a number has more digits than the rows before`);
}

/**
 * Returns a query for the staged rows, with the names and final types of their columns. Rows that join a version get the
 * types of its columns.
 */
export async function typedQuery(
  connection: DuckDBConnection,
  table: string,
  { columns }: TypedSource,
  version: BaseVersion | null,
): Promise<string> {
  const earlier = new Map((version?.columns ?? []).map((column) => [column.name, column]));
  const cells: string[] = [];
  for (const [index, { name, storageType }] of columns.entries()) {
    const column = earlier.get(name);
    if (column !== undefined && storageType === 'decimal') await mustFit(connection, table, index, column);
    const type =
      column === undefined
        ? await finalType(connection, table, index, storageType)
        : (column.type.alias ?? column.type.toString());
    const cell = finiteTypes.has(storageType) ? `case when isfinite(c${index}) then c${index} end` : `c${index}`;
    cells.push(`(${cell})::${type} as ${identifier(name)}`);
  }
  return `select ${cells.join(', ')} from ${table}`;
}
