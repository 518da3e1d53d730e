import { DuckDBDecimalType, type DuckDBConnection } from '@duckdb/node-api';
import type { StorageType } from '@inlay/query';
import { EngineProblem } from '../../engine.ts';
import type { IngestRequest } from '../../messages.ts';
import { identifier, literal } from '../quote.ts';
import type { BaseVersion } from './base.ts';
import type { StagedColumn } from './statistics.ts';
import { finalType, readFacts, stagedAs, unknownFacts, type Digits } from './load.ts';

type TypedSource = Extract<IngestRequest['source'], { readonly kind: 'typed' }>;

/** Times without an end, such as `infinity` of PostgreSQL, have no value in a dataset. */
const finiteTypes = new Set<StorageType>(['date', 'timestamp', 'timestamptz']);

/** Rows that are read first to decide the types of a large file. */
export const judgedRows = 200_000;

/**
 * Returns a relation over a CSV file whose columns have known types: `c0`, `c1` …. Cells are quoted where they contain a
 * comma, a quote or a line end; an empty cell without quotes is null. If `isShort`, reading fails at an integer of more
 * than 64 bits.
 */
export function typedRelation({ path, columns }: TypedSource, isAbreast: boolean, isShort: boolean): string {
  const types = columns.map(
    ({ storageType }, index) =>
      `c${index}: '${isShort && storageType === 'integer' ? 'BIGINT' : stagedAs[storageType]}'`,
  );
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
  return `read_csv(${options.join(', ')})`;
}

/** True if decimals keep all their digits in a column of a version. */
const fits = (digits: Digits | null, { type }: StagedColumn): boolean =>
  digits !== null &&
  type instanceof DuckDBDecimalType &&
  digits.scale <= type.scale &&
  digits.whole <= type.width - type.scale;

/**
 * Returns a decimal cell that is an error where a cast to a type of `scale` digits behind the point would round it. The
 * cast itself fails for all other cells that do not fit.
 */
const unrounded = (cell: string, scale: number): string =>
  `case when ${cell} is null or (
    (strpos(${cell}, '.') = 0 or strlen(${cell}) - strpos(${cell}, '.') <= ${scale}) and not contains(lower(${cell}), 'e')
  ) then ${cell} else error('a number has more digits than those before') end`;

/**
 * Returns a query for typed rows, with the names and final types of their columns. Rows that join a version get the
 * types of its columns. With `isSampled`, decides by the first rows, and the query fails at a later row that does not
 * fit. Raises EngineProblem `input` if decimals have more digits than their column in the version, since a cast would
 * round them.
 */
export async function typedQuery(
  connection: DuckDBConnection,
  from: string,
  { columns }: TypedSource,
  version: BaseVersion | null,
  isSampled: boolean,
): Promise<string> {
  const earlierColumns = new Map((version?.columns ?? []).map((column) => [column.name, column]));
  const types = columns.map(({ storageType }) => storageType);
  const facts = await readFacts(connection, isSampled ? `(from ${from} limit ${judgedRows})` : from, types);
  const cells = columns.map(({ name, storageType }, index) => {
    const columnFacts = facts[index] ?? unknownFacts;
    const earlier = earlierColumns.get(name);
    if (earlier !== undefined && storageType === 'decimal' && !fits(columnFacts.digits, earlier))
      throw new EngineProblem('input', `column ${name}: a number has more digits than the rows before`);
    const type =
      earlier === undefined ? finalType(storageType, columnFacts) : (earlier.type.alias ?? earlier.type.toString());
    const isGuarded = isSampled && storageType === 'decimal' && columnFacts.digits !== null;
    const cell = finiteTypes.has(storageType)
      ? `case when isfinite(c${index}) then c${index} end`
      : isGuarded && type !== 'DOUBLE'
        ? unrounded(`c${index}`, columnFacts.digits.scale)
        : `c${index}`;
    return `(${cell})::${type} as ${identifier(name)}`;
  });
  return `select ${cells.join(', ')} from ${from}`;
}
