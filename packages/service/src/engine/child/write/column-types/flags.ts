import type { DuckDBConnection } from '@duckdb/node-api';
import type { StorageType } from '@inlay/query';
import type { FreshColumn } from './column-target.ts';
import type { StagedColumn } from '../statistics.ts';

/** What values of a type are checked as. */
export const families = {
  text: 'text',
  integer: 'number',
  decimal: 'number',
  double: 'number',
  boolean: 'boolean',
  date: 'time',
  timestamp: 'time',
  timestamptz: 'time',
  json: 'json',
} as const satisfies Record<StorageType, string>;
export type Family = (typeof families)[StorageType];

const flagsOf = {
  number: (text) => `bit_or(number_flags(${text}))`,
  time: (text) => `bit_or(time_flags(${text}))`,
  boolean: (text) => `bit_or(if(is_boolean(${text}), 0, 8))`,
  json: (text) => `bit_or(if(is_json(${text}), 0, 8))`,
  text: () => 'bit_or(0)',
} as const satisfies Record<Family, (text: string) => string>;

/**
 * As `flagsOf`, of what is seen at a glance: a cell that is flagged is no value of the family, others may be none either. Asking all
 * of it of every family took a third of the time of an upload of 100 rows, most of it for planning.
 */
const glancesOf = {
  number: (text) => `bit_or(if(is_number(${text}), 0, 8))`,
  time: (text) => `bit_or(if(${text}[5] = '-', 0, 8))`,
  boolean: flagsOf.boolean,
  json: flagsOf.json,
  text: flagsOf.text,
} as const satisfies Record<Family, (text: string) => string>;

/** The flag of a cell that is no value of the family. */
export const misfit = 8;

/** Columns asked about in one statement: each reads all rows. */
const together = 24;

/** What must be known of a column before its type is. */
export interface Question {
  readonly column: FreshColumn;
  readonly base: StagedColumn | null;
  /** How its cells must be kept, because others are or somebody said so; null where its cells decide. */
  readonly must: StorageType | null;
  readonly may: readonly Family[];
}

const asks = ({ must, may }: Question): readonly Family[] => (must === null ? may : [families[must]]);

/** Rows and cells that are looked at here before DuckDB is asked. */
const glance = { rows: 200, cells: 20_000 } as const;

/** How every value of a family looks, where anything can be told by that; others may look so too. */
const looks = {
  number: /^[+-]?[0-9.][0-9.eE+-]*$/u,
  time: /^.{4}-/su,
  boolean: /^(?:true|false)$/iu,
  json: /^/u,
  text: /^/u,
} as const satisfies Record<Family, RegExp>;

/**
 * Flags of each column for each of its families by the look of its first rows, and whether these were all. Asking DuckDB about few rows takes
 * it much longer to plan than to answer.
 */
export async function readLooks(
  connection: DuckDBConnection,
  from: string,
  questions: readonly Question[],
): Promise<{ readonly flags: readonly ReadonlyMap<Family, number | null>[]; readonly isAll: boolean }> {
  const most = Math.max(1, Math.min(glance.rows, Math.floor(glance.cells / Math.max(1, questions.length))));
  const texts = questions.map(({ column }) => column.text);
  const reader = await connection.runAndReadAll(`select ${texts.join(', ')} from ${from} limit ${most}`);
  const columns = reader.getColumns();
  const flags = questions.map((one, index) => {
    const cells = (columns[index] ?? []).filter((cell) => typeof cell === 'string');
    const flagOf = (family: Family): number | null =>
      cells.length === 0 ? null : cells.every((cell) => looks[family].test(cell)) ? 0 : misfit;
    return new Map(asks(one).map((family): [Family, number | null] => [family, flagOf(family)]));
  });
  return { flags, isAll: reader.currentRowCount < most };
}

/** Flags of each column for each of its families, over all rows, or of what is seen at a glance; null where there is no value. */
export async function readFlags(
  connection: DuckDBConnection,
  from: string,
  questions: readonly Question[],
  isGlance = false,
): Promise<readonly ReadonlyMap<Family, number | null>[]> {
  const flags = isGlance ? glancesOf : flagsOf;
  const found: ReadonlyMap<Family, number | null>[] = [];
  for (let at = 0; at < questions.length; at += together) {
    const some = questions.slice(at, at + together);
    const asked = some.flatMap((one) =>
      asks(one).map((family) => `${flags[family](one.column.text)} filter (${one.column.text} is not null)`),
    );
    const reader =
      asked.length === 0 ? null : await connection.runAndReadAll(`select ${asked.join(', ')} from ${from}`);
    const said = [...(reader?.getRows()[0] ?? [])];
    for (const one of some)
      found.push(
        new Map(
          asks(one).map((family): [Family, number | null] => {
            const flags = said.shift() ?? null;
            return [family, flags === null ? null : Number(flags)];
          }),
        ),
      );
  }
  return found;
}
