import { isObject, member, othersCell, rankedMembers, type Json } from '@inlay/contract';
import {
  costOfValues,
  orderingOf,
  maxValues,
  type Condition,
  type Dimension,
  type Query,
  type Scalar,
} from '@inlay/query';
import { Problem } from '../../problems/problem.ts';
import type { AnswerRows } from './open-items.ts';

/** Returns the value of a cell for use in a filter. A hierarchy member is represented by its id. */
function valueOf(cell: Json | undefined): Scalar {
  const value = (cell !== undefined && isObject(cell) ? member(cell, 'id') : cell) ?? null;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** Removes the limit of individually shown members from a query, so that it returns all members. */
export const withAllMembers = (query: Query): Query => ({ ...query, limit: { ...query.limit, by: null } });

interface Members {
  readonly shown: readonly AnswerRows[];
  readonly beyond: readonly AnswerRows[];
}

/** Splits the members of a result into members within the limit, which are shown individually, and members past it. */
function membersOf(query: Query, rows: AnswerRows): Members {
  const { dimensions, measures, limit } = query;
  const [firstKey] = orderingOf(query);
  // The rows of a query with a single dimension are already in the order of the members.
  const place = firstKey?.kind === 'measure' && dimensions.length > 1 ? firstKey.index : null;
  const measure = place === null ? undefined : measures[place];
  const members = rankedMembers(rows, {
    places: [0],
    by: place === null ? null : dimensions.length + place,
    aggregation: measure?.kind === 'column' ? measure.aggregation : null,
    order: firstKey?.direction ?? 'asc',
  });
  const count = limit.by ?? members.length;
  return { shown: members.slice(0, count), beyond: members.slice(count) };
}

/** Result of the query for all members, and the path of the query in its request. */
interface MembersAnswer {
  readonly rows: AnswerRows;
  readonly isTruncated: boolean;
  readonly at: string;
}

const refusal = (at: string, message: string): Problem =>
  new Problem('query_invalid', { validation: { [`${at}.limit.others`]: [message] } });

/** Builds the query for the members past the limit, grouped by all dimensions except the first. */
function remainderOf(query: Query, dimension: Dimension, { shown, beyond }: Members, at: string): Query {
  // If members are excluded by `having`, they are not part of the others. So the query then lists the members past the
  // limit.
  const isListed = query.having.length > 0;
  const values = (isListed ? beyond : shown).map(([row]) => valueOf(row?.[0]));
  if (costOfValues(values) > maxValues)
    throw refusal(
      at,
      `needs a second query that names ${values.length} members; it may name ${maxValues}, or ${maxValues / 10} times. ${isListed ? 'Filter the rows' : 'Lower `by`'}`,
    );
  const { datasetId, columnId, level } = dimension;
  const others: Condition = {
    kind: 'test',
    expression: isListed ? 'in' : 'not in',
    on: { datasetId, columnId, level },
    measure: null,
    operand: { kind: 'list', values },
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
 * Returns the rows of the individually shown members, followed by rows for all other members together. `answer` runs a
 * second query with the same rights and filters. Raises Problem if that query is impossible.
 * specification/data-queries#others
 */
export async function withOthers(
  query: Query,
  { rows, isTruncated, at }: MembersAnswer,
  answer: (query: Query) => Promise<AnswerRows>,
): Promise<AnswerRows> {
  const [dimension] = query.dimensions;
  if (isTruncated && (query.having.length > 0 || query.dimensions.length > 1))
    throw refusal(
      at,
      'needs all groups of the query, which has more than an answer may have rows. Filter the rows, or leave out `having` and further dimensions',
    );
  const members = membersOf(query, rows);
  const { shown, beyond } = members;
  if (dimension === undefined || beyond.length === 0) return shown.flat();
  const others = await answer(remainderOf(query, dimension, members, at));
  return [...shown.flat(), ...others.map((row): readonly Json[] => [othersCell(beyond.length), ...row])];
}
