import type { Measure, Order, Query } from '../query.ts';
import { QueryProblem } from '../problem.ts';

/** A sort key: a dimension or measure of the query by its index, or a measure that the query does not return. */
export type SortKey = { readonly direction: 'asc' | 'desc' } & (
  | { readonly kind: 'dimension' | 'measure'; readonly index: number }
  | { readonly kind: 'other'; readonly measure: Measure; readonly at: string }
);

const sameMeasure = (left: Measure, right: Measure): boolean => {
  const { on: leftOn, ...leftRest } = { on: null, ...left };
  const { on: rightOn, ...rightRest } = { on: null, ...right };
  return (
    leftOn?.datasetId === rightOn?.datasetId &&
    leftOn?.columnId === rightOn?.columnId &&
    JSON.stringify(leftRest) === JSON.stringify(rightRest)
  );
};

function keyOf(query: Query, { on, measure, direction }: Order, at: string): SortKey {
  const isOn = (other: { readonly datasetId: string; readonly columnId: string }): boolean =>
    other.datasetId === on.datasetId && other.columnId === on.columnId;
  if (measure !== null) {
    const index = query.measures.findIndex((entry) => sameMeasure(entry, measure));
    return index >= 0 ? { kind: 'measure', index, direction } : { kind: 'other', measure, at, direction };
  }
  const dimension = query.dimensions.findIndex(
    (candidate) =>
      isOn(candidate) &&
      (on.level === null || candidate.level === on.level) &&
      (on.part === null || candidate.part === on.part),
  );
  if (dimension >= 0) return { kind: 'dimension', index: dimension, direction };
  const index =
    on.part === null ? query.measures.findIndex((candidate) => candidate.kind === 'column' && isOn(candidate.on)) : -1;
  if (index >= 0) return { kind: 'measure', index, direction };
  if (!query.options.rollupData && on.part === null)
    return { kind: 'other', measure: { kind: 'column', on, aggregation: null, second: null }, at, direction };
  throw new QueryProblem(
    'order_unknown',
    at,
    'names neither a dimension nor a measure of the query; say an aggregation',
  );
}

/**
 * Returns the complete order of an answer: first the requested sort keys, then the dimensions, ascending. Nulls come
 * last. Times ascend, and texts are ordered by code point. Raw rows keep the order of their source unless the query has
 * `order`; in that case, all columns follow the requested sort keys.
 */
export function orderingOf(query: Query): readonly SortKey[] {
  const keys = query.order.map((entry, index) => keyOf(query, entry, `order[${index}]`));
  const { rollupData } = query.options;
  if (!rollupData && keys.length === 0) return [];
  const key = (kind: 'dimension' | 'measure') => (_: unknown, index: number) =>
    ({ kind, index, direction: 'asc' }) as const;
  const ties: readonly SortKey[] = [
    ...query.dimensions.map(key('dimension')),
    ...(rollupData ? [] : query.measures.map(key('measure'))),
  ];
  const sortKeyName = (entry: SortKey): string =>
    entry.kind === 'other' ? JSON.stringify(entry.measure) : `${entry.kind} ${entry.index}`;
  const firstByName = new Map([...keys, ...ties].toReversed().map((entry) => [sortKeyName(entry), entry]));
  return [...keys, ...ties].filter((entry) => firstByName.get(sortKeyName(entry)) === entry);
}
