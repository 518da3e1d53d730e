import type { ItemQuery } from './item-rows.ts';
import { isSplitting } from './item-query.ts';
import { exactSum } from './exact-sum.ts';
import { isObject, member, type Json, type JsonObject } from '../json.ts';

const sumOf = (cells: readonly number[]): number => cells.reduce((sum, cell) => sum + cell, 0);
const meanOf = (cells: readonly number[]): number => sumOf(cells) / cells.length;
const extremeOf =
  (pick: (...cells: readonly number[]) => number) =>
  (cells: readonly number[]): number =>
    cells.reduce((left, right) => pick(left, right));

/** By aggregation: how the cells of a member combine into its total. Other aggregations and formulas are summed. */
const totals: Readonly<Record<string, (cells: readonly number[]) => number>> = {
  min: extremeOf(Math.min),
  max: extremeOf(Math.max),
  average: meanOf,
  median: meanOf,
  stddev: meanOf,
  weightedaverage: meanOf,
  rate: meanOf,
};

type Rows = readonly (readonly Json[])[];

/** How rows are grouped into members and sorted. */
export interface MemberRanking {
  /** Indexes in a row of the dimensions that make up a member. */
  readonly places: readonly number[];
  /** Index in a row of the measure whose totals sort the members; null if members keep the order of the rows. */
  readonly by: number | null;
  /** Aggregation of the measure at `by`; null means a sum. */
  readonly aggregation: string | null;
  readonly order: 'asc' | 'desc';
}

const numberIn = (cell: Json | undefined): readonly number[] => {
  const number = typeof cell === 'string' && cell !== '' ? Number(cell) : cell;
  return typeof number === 'number' && Number.isFinite(number) ? [number] : [];
};

/** Returns the rows of each member. The members are sorted by their totals; members without a total come last. */
export function rankedMembers(rows: Rows, { places, by, aggregation, order }: MemberRanking): readonly Rows[] {
  const members = Map.groupBy(rows, (row) => JSON.stringify(places.map((place) => row[place] ?? null)));
  if (by === null) return [...members.values()];
  const totalOf = totals[aggregation ?? ''] ?? sumOf;
  const sign = order === 'desc' ? -1 : 1;
  const membersWithTotal = [...members.values()].map((rowsOfMember) => {
    const cells = rowsOfMember.flatMap((row) => numberIn(row[by]));
    return { own: rowsOfMember, total: cells.length === 0 ? null : totalOf(cells) };
  });
  membersWithTotal.sort((left, right) =>
    left.total === null || right.total === null
      ? Number(left.total === null) - Number(right.total === null)
      : sign * (left.total - right.total),
  );
  return membersWithTotal.map(({ own }) => own);
}

/** Returns the member cell of "Others". */
export const othersCell = (count: number): JsonObject => ({ id: null, others: count });

/** Returns the number of members that an "Others" cell stands for; null for other cells. */
export function othersOf(cell: Json | undefined): number | null {
  const count = cell !== undefined && isObject(cell) ? member(cell, 'others') : undefined;
  return typeof count === 'number' ? count : null;
}

/** Adds up the rows of several members to the rows of "Others". */
function foldedRows({ dimensions }: ItemQuery, rows: Rows, count: number): Rows {
  const parts = Map.groupBy(rows, (row) =>
    JSON.stringify(dimensions.flatMap((dimension, place) => (isSplitting(dimension) ? [row[place] ?? null] : []))),
  );
  return [...parts.values()].map((part) =>
    (part[0] ?? []).map((cell, place) => {
      const dimension = dimensions[place];
      if (dimension !== undefined) return isSplitting(dimension) ? cell : othersCell(count);
      return summed(part, place);
    }),
  );
}

/** Adds up the rows of the members of the legend beyond its limit to the rows of one member. */
function withFoldedSeries({ dimensions, series }: ItemQuery, rows: Rows): Rows {
  if (series === undefined) return rows;
  const { place, by, limit } = series;
  const ranked = rankedMembers(rows, { places: [place], by, aggregation: null, order: 'desc' });
  const beyond = ranked.slice(limit - 1);
  if (beyond.length < 2) return rows;
  const cell = othersCell(beyond.length);
  const folded = new Set(beyond.flat());
  const groups = Map.groupBy(
    rows.map((row) => (folded.has(row) ? row.with(place, cell) : row)),
    (row) => JSON.stringify(row.slice(0, dimensions.length)),
  );
  return [...groups.values()].map(([first = [], ...others]) =>
    others.length === 0
      ? first
      : first.map((firstCell, at) => (at < dimensions.length ? firstCell : summed([first, ...others], at))),
  );
}

/** Returns the sum of a measure over rows; null if all of its cells are null. */
function summed(rows: Rows, place: number): Json {
  const cells = rows.flatMap((row) => {
    const cell = row[place];
    return (typeof cell === 'number' || typeof cell === 'string') && numberIn(cell).length > 0 ? [cell] : [];
  });
  return cells.length === 0 ? null : exactSum(cells);
}

/**
 * Returns the rows that an item shows: sorted by the totals of their members, and only those of as many members as the
 * limit allows. specification/dashboards#items
 */
export function memberRows(query: ItemQuery, answered: Rows): Rows {
  const { dimensions, measures, members } = query;
  const rows = withFoldedSeries(query, answered);
  if (members === null) return rows;
  const places = [...dimensions.entries()].flatMap(([place, value]) => (isSplitting(value) ? [] : [place]));
  const isFolded = (row: readonly Json[]): boolean => places.some((place) => othersOf(row[place]) !== null);
  const { by, order, limit, others } = members;
  const aggregation = by === null ? null : (measures[by - dimensions.length]?.content?.aggregation ?? null);
  const rankedRows = rankedMembers(
    rows.filter((row) => !isFolded(row)),
    { places, by, aggregation, order },
  );
  const shownRows = rankedRows.slice(0, limit ?? rankedRows.length).flat();
  const rowsBeyond = rankedRows.slice(limit ?? rankedRows.length);
  if (!others) return shownRows;
  // The service has already computed "Others".
  if (rowsBeyond.length === 0) return [...shownRows, ...rows.filter(isFolded)];
  return [...shownRows, ...foldedRows(query, rowsBeyond.flat(), rowsBeyond.length)];
}
