import { isSplitting, type ItemQuery } from './item-query.ts';
import type { Json } from './json.ts';

const sumOf = (cells: readonly number[]): number => cells.reduce((sum, cell) => sum + cell, 0);
const meanOf = (cells: readonly number[]): number => sumOf(cells) / cells.length;
const extremeOf =
  (pick: (...cells: readonly number[]) => number) =>
  (cells: readonly number[]): number =>
    cells.reduce((one, other) => pick(one, other));

/** What the cells of a member come to, by the aggregation of their measure; others, and formulas, are summed. */
const totals: Readonly<Record<string, (cells: readonly number[]) => number>> = {
  min: extremeOf(Math.min),
  max: extremeOf(Math.max),
  average: meanOf,
  median: meanOf,
  stddev: meanOf,
  weightedaverage: meanOf,
  rate: meanOf,
};

const numberIn = (cell: Json | undefined): readonly number[] => {
  const number = typeof cell === 'string' && cell !== '' ? Number(cell) : cell;
  return typeof number === 'number' && Number.isFinite(number) ? [number] : [];
};

type Rows = readonly (readonly Json[])[];

/** The rows of an item as it shows them: sorted by the totals of its members, and only so many members as it shows. specification/dashboards#items */
export function memberRows({ dimensions, measures, members }: ItemQuery, rows: Rows): Rows {
  if (members === null) return rows;
  const places = [...dimensions.entries()].flatMap(([place, one]) => (isSplitting(one) ? [] : [place]));
  const found = Map.groupBy(rows, (row) => JSON.stringify(places.map((place) => row[place] ?? null)));
  const { by, order, limit } = members;
  const aggregation = by === null ? null : (measures[by - dimensions.length]?.content?.aggregation ?? null);
  const total = totals[aggregation ?? ''] ?? sumOf;
  const sorted = [...found.values()].map((own) => {
    const cells = by === null ? [] : own.flatMap((row) => numberIn(row[by]));
    return { own, total: cells.length === 0 ? null : total(cells) };
  });
  const sign = order === 'desc' ? -1 : 1;
  if (by !== null)
    sorted.sort((one, other) =>
      one.total === null || other.total === null
        ? Number(one.total === null) - Number(other.total === null)
        : sign * (one.total - other.total),
    );
  return sorted.slice(0, limit ?? sorted.length).flatMap(({ own }) => own);
}
