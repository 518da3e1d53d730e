import type { DuckDBConnection } from '@duckdb/node-api';
import type { StorageType } from '@inlay/query';
import type { FreshColumn } from './column-target.ts';
import type { StagedColumn } from '../statistics.ts';

/** Family of each storage type. All types of a family share their checks. */
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
 * Cheaper checks than `flagsOf`, which miss some misfits: a flagged cell is certainly not a value of the family.
 * Testing all cells exactly for every family took a third of the time of an upload of 100 rows, mostly for planning.
 */
const glancesOf = {
  number: (text) => `bit_or(if(is_number(${text}), 0, 8))`,
  time: (text) => `bit_or(if(${text}[5] = '-', 0, 8))`,
  boolean: flagsOf.boolean,
  json: flagsOf.json,
  text: flagsOf.text,
} as const satisfies Record<Family, (text: string) => string>;

/** Flag of a cell that is not a value of the family. */
export const misfit = 8;

/** Columns examined per statement, each of which reads all rows. */
const columnsPerStatement = 24;

/** A column whose type must be determined, and what is already known about it. */
export interface Question {
  readonly column: FreshColumn;
  readonly base: StagedColumn | null;
  /** Storage type required by previous rows or a declaration; null if the cells decide. */
  readonly must: StorageType | null;
  readonly may: readonly Family[];
}

const asks = ({ must, may }: Question): readonly Family[] => (must === null ? may : [families[must]]);

/** Limits up to which rows are examined in JavaScript instead of DuckDB. */
const glance = { rows: 200, cells: 20_000 } as const;

/** Patterns that every value of a family matches; other texts may match too. */
const looks = {
  number: /^[+-]?[0-9.][0-9.eE+-]*$/u,
  time: /^.{4}-/su,
  boolean: /^(?:true|false)$/iu,
  json: /^/u,
  text: /^/u,
} as const satisfies Record<Family, RegExp>;

/**
 * Examines the first rows in JavaScript, since DuckDB would take longer to plan a query than to run it. Returns
 * approximate flags of each column by family, and whether the column has no further rows.
 */
export async function readLooks(
  connection: DuckDBConnection,
  from: string,
  questions: readonly Question[],
): Promise<{ readonly flags: readonly ReadonlyMap<Family, number | null>[]; readonly isAll: boolean }> {
  const maxRows = Math.max(1, Math.min(glance.rows, Math.floor(glance.cells / Math.max(1, questions.length))));
  const texts = questions.map(({ column }) => column.text);
  const reader = await connection.runAndReadAll(`select ${texts.join(', ')} from ${from} limit ${maxRows}`);
  const columns = reader.getColumns();
  const flags = questions.map((question, index) => {
    const cells = (columns[index] ?? []).filter((cell) => typeof cell === 'string');
    const flagOf = (family: Family): number | null =>
      cells.length === 0 ? null : cells.every((cell) => looks[family].test(cell)) ? 0 : misfit;
    return new Map(asks(question).map((family): [Family, number | null] => [family, flagOf(family)]));
  });
  return { flags, isAll: reader.currentRowCount < maxRows };
}

/**
 * Returns flags over all rows of each column by family; null if the column has no values. With `isGlance`, the flags
 * are approximate.
 */
export async function readFlags(
  connection: DuckDBConnection,
  from: string,
  questions: readonly Question[],
  isGlance = false,
): Promise<readonly ReadonlyMap<Family, number | null>[]> {
  const flags = isGlance ? glancesOf : flagsOf;
  const allFlags: ReadonlyMap<Family, number | null>[] = [];
  for (let at = 0; at < questions.length; at += columnsPerStatement) {
    const examinedQuestions = questions.slice(at, at + columnsPerStatement);
    const tests = examinedQuestions.flatMap((entry) =>
      asks(entry).map((family) => `${flags[family](entry.column.text)} filter (${entry.column.text} is not null)`),
    );
    const reader =
      tests.length === 0 ? null : await connection.runAndReadAll(`select ${tests.join(', ')} from ${from}`);
    const results = [...(reader?.getRows()[0] ?? [])];
    for (const entry of examinedQuestions)
      allFlags.push(
        new Map(
          asks(entry).map((family): [Family, number | null] => {
            const flags = results.shift() ?? null;
            return [family, flags === null ? null : Number(flags)];
          }),
        ),
      );
  }
  return allFlags;
}
