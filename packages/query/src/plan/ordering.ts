import type { Measure, Order, Query } from '../query.ts';
import { QueryProblem } from '../problem.ts';

/** A sort key: a dimension or measure of the query by index, or a measure outside the answer. */
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
    const index = query.measures.findIndex((one) => sameMeasure(one, measure));
    return index >= 0 ? { kind: 'measure', index, direction } : { kind: 'other', measure, at, direction };
  }
  const dimension = query.dimensions.findIndex(
    (one) => isOn(one) && (on.level === null || one.level === on.level) && (on.part === null || one.part === on.part),
  );
  if (dimension >= 0) return { kind: 'dimension', index: dimension, direction };
  const index = on.part === null ? query.measures.findIndex((one) => one.kind === 'column' && isOn(one.on)) : -1;
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
 * The complete order of an answer: the requested keys, then the dimensions, ascending, nulls last.
 * Without `order`, rows are sorted by their dimensions: times ascending, texts by code point. Raw rows keep the
 * order of their source unless an order is requested; then all columns break ties.
 */
export function orderingOf(query: Query): readonly SortKey[] {
  const keys = query.order.map((one, index) => keyOf(query, one, `order[${index}]`));
  const { rollupData } = query.options;
  if (!rollupData && keys.length === 0) return [];
  const key = (kind: 'dimension' | 'measure') => (_: unknown, index: number) =>
    ({ kind, index, direction: 'asc' }) as const;
  const ties: readonly SortKey[] = [
    ...query.dimensions.map(key('dimension')),
    ...(rollupData ? [] : query.measures.map(key('measure'))),
  ];
  const named = (one: SortKey): string =>
    one.kind === 'other' ? JSON.stringify(one.measure) : `${one.kind} ${one.index}`;
  const first = new Map([...keys, ...ties].toReversed().map((one) => [named(one), one]));
  return [...keys, ...ties].filter((one) => first.get(named(one)) === one);
}
