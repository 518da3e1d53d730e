import { isObject, member, othersCell, rankedMembers, type Json } from '@inlay/contract';
import { orderingOf, type Condition, type Dimension, type Query, type Scalar } from '@inlay/query';
import type { AnswerRows } from './open.ts';

/** The value by which a filter names the member of a cell: that of a hierarchy by its id. */
function valueOf(cell: Json | undefined): Scalar {
  const value = (cell !== undefined && isObject(cell) ? member(cell, 'id') : cell) ?? null;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** The query of all members, of which the first are shown by themselves. */
export const withAllMembers = (query: Query): Query => ({ ...query, limit: { ...query.limit, by: null } });

interface Members {
  readonly shown: readonly AnswerRows[];
  readonly beyond: readonly AnswerRows[];
}

/** The rows of each member that a query shows by itself, and of those beyond its limit. */
function membersOf(query: Query, rows: AnswerRows): Members {
  const { dimensions, measures, limit } = query;
  const [first] = orderingOf(query);
  // Rows of a query without a further dimension come in the order of their members.
  const place = first?.kind === 'measure' && dimensions.length > 1 ? first.index : null;
  const measure = place === null ? undefined : measures[place];
  const members = rankedMembers(rows, {
    places: [0],
    by: place === null ? null : dimensions.length + place,
    aggregation: measure?.kind === 'column' ? measure.aggregation : null,
    order: first?.direction ?? 'asc',
  });
  const count = limit.by ?? members.length;
  return { shown: members.slice(0, count), beyond: members.slice(count) };
}

/** The query of the rows of members beyond the limit, grouped by all dimensions but the first. */
function remainderOf(query: Query, dimension: Dimension, { shown, beyond }: Members): Query {
  // Members that `having` leaves out are none of the others.
  const isListed = query.having.length > 0;
  const { datasetId, columnId, level } = dimension;
  const others: Condition = {
    kind: 'test',
    expression: isListed ? 'in' : 'not in',
    on: { datasetId, columnId, level },
    measure: null,
    operand: { kind: 'list', values: (isListed ? beyond : shown).map(([row]) => valueOf(row?.[0])) },
  };
  return {
    ...query,
    dimensions: query.dimensions.slice(1),
    where: [...query.where, others],
    having: [],
    order: [],
    limit: { by: null, offset: 0 },
  };
}

/**
 * The rows of the members that a query shows by themselves, and behind them those of all others as one member. `answer` gives
 * the rows of a second query, with the same rights and filters. specification/data-queries#others
 */
export async function withOthers(
  query: Query,
  rows: AnswerRows,
  answer: (query: Query) => Promise<AnswerRows>,
): Promise<AnswerRows> {
  const [dimension] = query.dimensions;
  const members = membersOf(query, rows);
  const { shown, beyond } = members;
  if (dimension === undefined || beyond.length === 0) return shown.flat();
  const others = await answer(remainderOf(query, dimension, members));
  return [...shown.flat(), ...others.map((row): readonly Json[] => [othersCell(beyond.length), ...row])];
}
