import type { ColumnRef, Condition, Dimension, Fault, Order, Query } from '@inlay/query';

/** The query of a stored item, and how far viewers may deviate from it. */
export interface ItemTerms {
  readonly query: Query;
  /** The finest level that viewers may open, by index of the dimension; null if the dimension has no levels. */
  readonly finest: readonly (number | null)[];
  readonly mayFilter: (column: ColumnRef) => boolean;
}

const text = (value: unknown): string => JSON.stringify(value);
const isOn = (left: Pick<ColumnRef, 'datasetId' | 'columnId'>, right: Pick<ColumnRef, 'datasetId' | 'columnId'>) =>
  left.datasetId === right.datasetId && left.columnId === right.columnId;

type Test = Extract<Condition, { kind: 'test' }>;

export const testsOf = (condition: Condition): readonly Test[] =>
  condition.kind === 'test' ? [condition] : condition.of.flatMap(testsOf);

/** Returns the requested conditions that are not stored with the item, each with its index. */
const addedConditions = (
  requestedConditions: readonly Condition[],
  storedConditions: readonly Condition[],
): readonly (readonly [number, Condition])[] => {
  const storedTexts = new Set(storedConditions.map(text));
  return [...requestedConditions.entries()].filter(([, condition]) => !storedTexts.has(text(condition)));
};

function isOpened(requestedDimension: Dimension, storedDimension: Dimension, finestLevel: number | null): boolean {
  if (text(requestedDimension) === text(storedDimension)) return true;
  const { level } = requestedDimension;
  if (
    level === null ||
    storedDimension.level === null ||
    finestLevel === null ||
    level < storedDimension.level ||
    level > finestLevel
  )
    return false;
  return text({ ...requestedDimension, level: storedDimension.level }) === text(storedDimension);
}

/** True if rows are sorted by something that the item shows, or by the order stored with the item. */
function isOwnOrder({ on, measure }: Order, requestedQuery: Query, storedQuery: Query): boolean {
  if (storedQuery.order.some((storedOrder) => text([storedOrder.on, storedOrder.measure]) === text([on, measure])))
    return true;
  if (measure !== null) return storedQuery.measures.some((storedMeasure) => text(storedMeasure) === text(measure));
  const isDimension = requestedQuery.dimensions.some(
    (dimension) =>
      isOn(dimension, on) &&
      (on.level === null || on.level === dimension.level) &&
      (on.part === null || on.part === dimension.part),
  );
  return (
    isDimension ||
    storedQuery.measures.some((storedMeasure) => storedMeasure.kind === 'column' && text(storedMeasure.on) === text(on))
  );
}

/** Returns the stored order, changed to the levels that the viewer has opened. */
const openedOrder = (storedQuery: Query, dimensions: readonly Dimension[]): readonly Order[] =>
  storedQuery.order.map((order) => {
    if (order.measure !== null) return order;
    const index = storedQuery.dimensions.findIndex(
      (dimension) => isOn(dimension, order.on) && dimension.level === order.on.level,
    );
    const level = dimensions[index]?.level;
    return level === undefined ? order : { ...order, on: { ...order.on, level } };
  });

/** A query within its stored item, and what the viewer added to it. */
export interface DerivedTerms {
  readonly query: Query;
  readonly faults: readonly Fault[];
  /** True if a dimension has a finer level than it has in the item. */
  readonly isDrilled: boolean;
  /** Path of the first filter that neither the item has nor a drill step sets; null without one. */
  readonly ownFilter: string | null;
}

/** True if a filter selects a member of a level above the one to which the query drills, as a drill step does. */
const isOfStep = (condition: Condition, requestedQuery: Query, storedQuery: Query): boolean =>
  condition.kind === 'test' &&
  ['=', 'is null'].includes(condition.expression) &&
  requestedQuery.dimensions.some(
    (dimension, index) =>
      isOn(dimension, condition.on) &&
      condition.on.level !== null &&
      condition.on.level >= (storedQuery.dimensions[index]?.level ?? Infinity) &&
      condition.on.level < (dimension.level ?? 0),
  );

/**
 * Applies a viewer's query to the query of a stored item. The viewer may add filters, open finer levels, choose another
 * order, or request a page of the rows. Any other deviation is a fault, and the query then must not run.
 * specification/data-queries#stored-items
 */
export function derive(requestedQuery: Query, { query: storedQuery, finest, mayFilter }: ItemTerms): DerivedTerms {
  const faults: Fault[] = [];
  const fault = (at: string, message: string): void => void faults.push({ at, message });
  if (requestedQuery.dimensions.length !== storedQuery.dimensions.length)
    fault('dimensions', 'are not those of the item');
  requestedQuery.dimensions.forEach((dimension, index) => {
    const storedDimension = storedQuery.dimensions[index];
    if (storedDimension !== undefined && !isOpened(dimension, storedDimension, finest[index] ?? null))
      fault(`dimensions[${index}]`, 'is not what the item groups by, nor a finer level of it that may be opened');
  });
  if (text(requestedQuery.measures) !== text(storedQuery.measures)) fault('measures', 'are not those of the item');
  const where = addedConditions(requestedQuery.where, storedQuery.where);
  for (const [index, condition] of where)
    if (!testsOf(condition).every(({ on }) => mayFilter(on)))
      fault(`where[${index}]`, 'is on a column that no item of the dashboard shows or filters by');
  const comparedMeasures = new Set(
    [...storedQuery.measures, ...storedQuery.having.flatMap(testsOf).map(({ measure }) => measure)].map(text),
  );
  const having = addedConditions(requestedQuery.having, storedQuery.having);
  for (const [index, condition] of having)
    if (!testsOf(condition).every(({ measure }) => comparedMeasures.has(text(measure))))
      fault(`having[${index}]`, 'is on something that the item does not compute');
  requestedQuery.order.forEach((order, index) => {
    if (!isOwnOrder(order, requestedQuery, storedQuery))
      fault(`order[${index}]`, 'is by something that the item does not show');
  });
  const maxMembers = storedQuery.limit.by ?? Number.MAX_SAFE_INTEGER;
  const { offset } = requestedQuery.limit;
  const by = requestedQuery.limit.by ?? Math.max(0, maxMembers - offset);
  if (offset + by > maxMembers) fault('limit', `goes beyond the ${maxMembers} rows that the item asks for`);
  if (requestedQuery.limit.others === true && storedQuery.limit.others !== true)
    fault('limit.others', 'is nothing that the item asks for');
  if (requestedQuery.options.rollupData !== storedQuery.options.rollupData)
    fault('options.rollup_data', `is ${storedQuery.options.rollupData} for the item`);
  const query: Query = {
    dimensions: requestedQuery.dimensions,
    measures: storedQuery.measures,
    where: [...storedQuery.where, ...where.map(([, condition]) => condition)],
    having: [...storedQuery.having, ...having.map(([, condition]) => condition)],
    order: requestedQuery.order.length > 0 ? requestedQuery.order : openedOrder(storedQuery, requestedQuery.dimensions),
    limit: { ...requestedQuery.limit, by, offset },
    options: { ...requestedQuery.options, rollupData: storedQuery.options.rollupData },
  };
  const ownFilters = [
    ...where
      .filter(([, condition]) => !isOfStep(condition, requestedQuery, storedQuery))
      .map(([index]) => `where[${index}]`),
    ...having.map(([index]) => `having[${index}]`),
  ];
  const isDrilled = requestedQuery.dimensions.some(
    ({ level }, index) => level !== (storedQuery.dimensions[index]?.level ?? null),
  );
  return { query, faults, isDrilled, ownFilter: ownFilters[0] ?? null };
}
