import type { Scalar } from '@inlay/query';
import type { PluginDataset } from '../datasets.ts';
import type { LevelWord, PluginColumnRef, PluginFilter, PushedAggregation, PushedExpression } from '../protocol.ts';

type Row = readonly Scalar[];

const order = (left: Scalar, right: Scalar): number =>
  typeof left === 'number' && typeof right === 'number' ? left - right : String(left) < String(right) ? -1 : 1;
const comparison =
  (holds: (order: number) => boolean) =>
  (cell: Scalar, [value = null]: Row): boolean =>
    cell !== null && value !== null && holds(cell === value ? 0 : order(cell, value));

/**
 * How each filter of the protocol treats a cell. An empty cell only matches `in` with null, `not in` without null, and
 * `is null`.
 */
const tests: Readonly<Record<PushedExpression, (cell: Scalar, value: Row) => boolean>> = {
  '=': comparison((sign) => sign === 0),
  '<': comparison((sign) => sign < 0),
  '>': comparison((sign) => sign > 0),
  '<=': comparison((sign) => sign <= 0),
  '>=': comparison((sign) => sign >= 0),
  in: (cell, value) => value.includes(cell),
  'not in': (cell, value) => !value.includes(cell),
  'is null': (cell) => cell === null,
  'is not null': (cell) => cell !== null,
};

/** Returns the rows that match a filter. */
export function filtered(dataset: PluginDataset, rows: readonly Row[], filter: PluginFilter): readonly Row[] {
  const place = dataset.columns.findIndex(({ id }) => id === filter.column_id);
  return rows.filter((row) => tests[filter.expression](row[place] ?? null, filter.value));
}

const numbers = (cells: Row): readonly number[] => cells.filter((cell) => typeof cell === 'number');
const minimumOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((left, right) => Math.min(left, right));
const maximumOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((left, right) => Math.max(left, right));

const aggregations: Readonly<Record<PushedAggregation, (cells: Row) => Scalar>> = {
  sum: (cells) => (numbers(cells).length === 0 ? null : numbers(cells).reduce((sum, value) => sum + value, 0)),
  min: (cells) => minimumOf(numbers(cells)),
  max: (cells) => maximumOf(numbers(cells)),
  count: (cells) => cells.filter((cell) => cell !== null).length,
  distinctcount: (cells) => new Set(cells.filter((cell) => cell !== null)).size,
};

/** Truncates a time to the start of its period in UTC, such as its month. Weeks begin on Monday. */
function periodStart(time: string, level: LevelWord): string {
  const at = new Date(time);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const midnight = (yearOf: number, monthOf: number, dayOf: number): number =>
    new Date(0).setUTCFullYear(yearOf, monthOf, dayOf);
  const startOfUnit = (ms: number): number => Math.floor(at.getTime() / ms) * ms;
  const starts: Readonly<Record<LevelWord, number>> = {
    year: midnight(year, 0, 1),
    quarter: midnight(year, month - (month % 3), 1),
    month: midnight(year, month, 1),
    week: midnight(year, month, day - ((at.getUTCDay() + 6) % 7)),
    day: midnight(year, month, day),
    hour: startOfUnit(3_600_000),
    minute: startOfUnit(60_000),
    second: startOfUnit(1000),
    millisecond: at.getTime(),
  };
  return new Date(starts[level]).toISOString();
}

/**
 * Computes the groups that the answer to an aggregating query should have. Columns without an aggregation come first.
 */
export function grouped(
  dataset: PluginDataset,
  rows: readonly Row[],
  columns: readonly PluginColumnRef[],
): readonly Row[] {
  const place = (id: string): number => dataset.columns.findIndex((column) => column.id === id);
  const keys = columns.filter(({ aggregation }) => aggregation === undefined);
  const keyOf = (row: Row): Row =>
    keys.map(({ column_id, level }) => {
      const cell = row[place(column_id)] ?? null;
      return level !== undefined && typeof cell === 'string' ? periodStart(cell, level) : cell;
    });
  const groups = new Map<string, { readonly key: Row; readonly rows: Row[] }>();
  for (const row of rows) {
    const key = keyOf(row);
    const name = JSON.stringify(key);
    const group = groups.get(name) ?? { key, rows: [] };
    group.rows.push(row);
    groups.set(name, group);
  }
  return [...groups.values()].map(({ key, rows: groupRows }) => [
    ...key,
    ...columns.flatMap(({ column_id, aggregation }) => {
      if (aggregation === undefined) return [];
      return [
        column_id === '*'
          ? groupRows.length
          : aggregations[aggregation](groupRows.map((row) => row[place(column_id)] ?? null)),
      ];
    }),
  ]);
}

const isNear = (left: Scalar, right: Scalar): boolean =>
  left === right ||
  (typeof left === 'number' &&
    typeof right === 'number' &&
    Math.abs(left - right) <= 1e-9 * Math.max(1, Math.abs(left), Math.abs(right)));

/**
 * True if two results have the same rows, regardless of their order and of rounding. The first `keys` cells identify a
 * row.
 */
export function sameRows(left: readonly Row[], right: readonly Row[], keys: number): boolean {
  if (left.length !== right.length) return false;
  const keyOf = (row: Row): string => JSON.stringify(row.slice(0, keys));
  const byKey = new Map(right.map((row) => [keyOf(row), row]));
  return (
    byKey.size === right.length &&
    left.every((row) => {
      const expectedRow = byKey.get(keyOf(row));
      return expectedRow !== undefined && row.every((cell, index) => isNear(cell, expectedRow[index] ?? null));
    })
  );
}
