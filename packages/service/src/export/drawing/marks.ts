import type { Row } from '@inlay/embed/picture';
import type { FilledItem } from '../render-job.ts';

/** Limit of cells and marks in one file. */
export const maxMarks = 500_000;

const distinctCount = (rows: readonly Row[], places: readonly number[]): number =>
  new Set(rows.map((row) => JSON.stringify(places.map((place) => row[place] ?? null)))).size;

/**
 * Counts the cells or marks of an item. A pivot table has one for each combination of row and column, whether it has a
 * value or not.
 */
export function marksOf({ item, query, rows }: FilledItem): number {
  const fields = query === null ? [] : [...query.dimensions, ...query.measures];
  if (item.type !== 'pivot-table' || query === null) return rows.length * Math.max(1, fields.length);
  const places = (slot: string): readonly number[] =>
    query.dimensions.flatMap((field, place) => (field.slot === slot ? [place] : []));
  return (
    distinctCount(rows, places('row')) * distinctCount(rows, places('column')) * Math.max(1, query.measures.length)
  );
}
