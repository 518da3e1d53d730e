import type { Json } from '@inlay/contract';
import { keyOf } from '../frame/key.ts';
import type { Field, Frame, Row } from '../frame/frame.ts';

/** Values over time, oldest first. A null is a gap. */
export type Sparkline = readonly (number | null)[];

/**
 * Returns a function that returns the sparkline of a measure in a row; null if the table has no sparklines. Rows of
 * `lines` have the dimensions of the table, followed by the time.
 */
export function sparklinesOf({
  lines,
  dimensions,
  measures,
}: Frame): ((field: Field, row: Row) => Sparkline | null) | null {
  if (lines === undefined) return null;
  const timeAt = dimensions.length;
  const membersOf = (row: Row): string => JSON.stringify(dimensions.map((_, index) => keyOf(row[index])));
  const timeOf = (row: Row): Json => row[timeAt] ?? null;
  const times = [...new Set(lines.rows.map(timeOf).filter((time) => typeof time === 'string'))].toSorted();
  const places = new Map<Json, number>(times.map((time, index) => [time, index]));
  const rows = Map.groupBy(lines.rows, membersOf);
  return (field, row) => {
    const measure = measures.indexOf(field);
    const memberLines = measure === -1 || times.length < 2 ? undefined : rows.get(membersOf(row));
    if (memberLines === undefined) return null;
    const values: (number | null)[] = times.map(() => null);
    for (const line of memberLines) {
      const place = places.get(timeOf(line));
      if (place !== undefined) values[place] = field.number(line[timeAt + 1 + measure]);
    }
    return values;
  };
}
