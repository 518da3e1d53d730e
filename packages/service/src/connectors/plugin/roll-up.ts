import {
  isCondition,
  type Condition,
  type Measure,
  type Model,
  type ModelColumn,
  type ModelDataset,
  type Order,
  type Query,
  type RowFilter,
  type TimePart,
} from '@inlay/query';
import { storageTypeOf } from './datasets.ts';
import { hintsOf, isPlain } from './hints.ts';
import {
  levelWords,
  pushedAggregations,
  type PluginColumnRef,
  type PluginFilter,
  type PushedAggregation,
} from './protocol.ts';
import type { RowColumn } from './rows.ts';

/** A query in two parts: the groups that a plugin aggregates, and the query that the engine runs over these groups. */
export interface RollUp {
  readonly groups: readonly PluginColumnRef[];
  readonly filters: readonly PluginFilter[];
  /** Columns of the rows that the plugin returns. Their ids are the sources of the columns in `model`. */
  readonly columns: readonly (RowColumn & { readonly storageType: ModelColumn['storageType'] })[];
  /**
   * The original query, rewritten for the returned rows. It applies all conditions again, and combines the partial
   * results in the groups.
   */
  readonly query: Query;
  readonly model: Model;
}

/**
 * What decides if the plugin's periods are those of the query: a plugin's days are in UTC, and its weeks begin on
 * Monday.
 */
export interface RollUpContext {
  readonly timeZone: string;
  /** First day of the week for queries that do not set it, from 1 (Monday) to 7 (Sunday). */
  readonly weekstart: number;
  readonly rowFilters: ReadonlyMap<string, readonly RowFilter[]>;
}

interface Partial {
  readonly column: ModelColumn;
  readonly ref: PluginColumnRef;
  /** Aggregation by which the engine combines the partial results. */
  readonly again: 'sum' | 'min' | 'max';
}

interface RollUpMeasure {
  readonly columnId: string;
  readonly aggregation: string;
}

const isPushed = (word: string): word is PushedAggregation =>
  pushedAggregations.some((aggregation) => aggregation === word);
const combiningAggregations = { sum: 'sum', count: 'sum', min: 'min', max: 'max', distinctcount: 'max' } as const;

/**
 * Returns the columns that conditions use. Returns null if a condition is on groups, on another dataset or on a column
 * that the plugin does not have.
 */
function columnsIn(conditions: readonly Condition[], dataset: ModelDataset): readonly ModelColumn[] | null {
  const columns: ModelColumn[] = [];
  for (const condition of conditions) {
    if (condition.kind !== 'test') {
      const innerColumns = columnsIn(condition.of, dataset);
      if (innerColumns === null) return null;
      columns.push(...innerColumns);
      continue;
    }
    const column = condition.on.datasetId === dataset.id ? dataset.columns.get(condition.on.columnId) : undefined;
    if (!isPlain(column) || condition.measure !== null) return null;
    columns.push(column);
  }
  return columns;
}

/**
 * For each time part, the number of the level with the longest period that never contains two different values of the
 * part.
 */
const periodOfPart = {
  ...({ weekday: 5, month: 3, quarter: 2, week: 5, day: 5, dayOfYear: 5, hour: 6, minute: 7 } as const),
} as const satisfies Readonly<Record<TimePart, number>>;

/**
 * Returns the columns to group by: the dimensions at their level, and the columns of conditions without a level, so
 * that the engine can apply the conditions again. Returns null if the plugin cannot group reliably.
 */
function groupsOf(
  query: Query,
  dataset: ModelDataset,
  conditions: readonly Condition[],
  { timeZone, weekstart }: RollUpContext,
): ReadonlyMap<string, { readonly column: ModelColumn; readonly level: number | null }> | null {
  const isUtc = /^(?:Etc\/)?(?:UTC|GMT)$/iu.test(query.options.timezoneId ?? timeZone);
  const isMonday = (query.options.weekstart ?? weekstart) === 1;
  const groups = new Map<string, { column: ModelColumn; level: number | null }>();
  for (const { datasetId, columnId, level, part, bins } of query.dimensions) {
    const column = datasetId === dataset.id ? dataset.columns.get(columnId) : undefined;
    if (!isPlain(column) || bins !== null || column.type === 'numeric' || column.storageType === 'date') return null;
    const period = part === null ? (level ?? 9) : periodOfPart[part];
    const word = column.type === 'datetime' ? period : null;
    if (word !== null && word < 9 && (!isUtc || (word === 4 && !isMonday))) return null;
    const existing = groups.get(columnId);
    groups.set(columnId, { column, level: existing === undefined || existing.level === word ? word : 9 });
  }
  const testedColumns = columnsIn(conditions, dataset);
  if (testedColumns === null) return null;
  for (const column of testedColumns) groups.set(column.id, { column, level: column.type === 'datetime' ? 9 : null });
  return groups;
}

const partialKey = (columnId: string, aggregation: string): string => `${aggregation} of ${columnId}`;

function partialOf(dataset: ModelDataset, columnId: string, aggregation: string): Partial | null {
  if (!isPushed(aggregation)) return null;
  const column = dataset.columns.get(columnId);
  const isRows = columnId === '*' && aggregation === 'count';
  const isCount = aggregation === 'count' || aggregation === 'distinctcount';
  if (!isRows && (!isPlain(column) || (!isCount && column.type !== 'numeric'))) return null;
  return {
    column: {
      id: partialKey(columnId, aggregation),
      datasetId: dataset.id,
      source: '',
      type: 'numeric',
      subtype: null,
      storageType: isCount ? 'integer' : 'double',
      expression: null,
      separator: null,
      joins: [],
    },
    ref: { column_id: column === undefined || isRows ? '*' : column.source, aggregation },
    again: combiningAggregations[aggregation],
  };
}

/** Returns column and aggregation of a measure for the plugin; null if the plugin cannot compute the measure. */
function measured(measure: Measure, { columns }: ModelDataset): RollUpMeasure | null {
  if (measure.kind === 'rows') return { columnId: '*', aggregation: 'count' };
  if (measure.kind !== 'column' || measure.second !== null || measure.on.level !== null) return null;
  const { columnId } = measure.on;
  const usualAggregation = columns.get(columnId)?.type === 'numeric' ? 'sum' : 'count';
  return { columnId, aggregation: measure.aggregation ?? usualAggregation };
}

type Groups = NonNullable<ReturnType<typeof groupsOf>>;

/** The partial results that a plugin computes, and from which the engine computes the measures of a query. */
class PartialResults {
  readonly #dataset: ModelDataset;
  readonly #byId = new Map<string, Partial>();

  constructor(dataset: ModelDataset) {
    this.#dataset = dataset;
  }

  get all(): readonly Partial[] {
    return [...this.#byId.values()];
  }

  /** Rewrites a measure so that it uses partial results. Returns null if the plugin cannot compute them. */
  readonly rewrite = (measure: Measure): Measure | null => {
    const pushedMeasure = datasetOf(measure) === this.#dataset.id ? measured(measure, this.#dataset) : null;
    if (pushedMeasure === null) return null;
    const { columnId, aggregation } = pushedMeasure;
    const partial =
      this.#byId.get(partialKey(columnId, aggregation)) ?? partialOf(this.#dataset, columnId, aggregation);
    if (partial === null) return null;
    this.#byId.set(partial.column.id, partial);
    const columnRef = { datasetId: this.#dataset.id, columnId: partial.column.id, level: null };
    return { kind: 'column', on: columnRef, aggregation: partial.again, second: null };
  };
}

/** True if the groups that the plugin returns are exactly the groups of the query. */
const areGroupsOf = ({ dimensions }: Query, groups: Groups): boolean =>
  [...groups.keys()].every((id) => dimensions.some(({ columnId }) => columnId === id)) &&
  dimensions.every(({ columnId, level, part }) => {
    const group = groups.get(columnId);
    return part === null && (group?.level === null || group?.level === (level ?? 9));
  });

/**
 * True if the engine can combine the partial results. It cannot add distinct counts. Also, if the plugin returns no
 * groups, a count of all rows would be null instead of 0.
 */
function canFinish(query: Query, groups: Groups, partials: readonly Partial[]): boolean {
  const isCount = partials.some(({ column }) => column.storageType === 'integer');
  const isDistinct = partials.some(({ ref }) => ref.aggregation === 'distinctcount');
  return !(
    (isDistinct && !areGroupsOf(query, groups)) ||
    (isCount && query.dimensions.length === 0 && groups.size > 0)
  );
}

/** Returns the columns of the plugin's answer, each with the reference by which it is requested. */
function answerColumns(groups: Groups, partials: readonly Partial[]) {
  const groupColumns = [...groups.values()].map(({ column, level }) => {
    const word = level === null ? undefined : levelWords[level - 1];
    const ref: PluginColumnRef = { column_id: column.source, ...(word === undefined ? {} : { level: word }) };
    return { ref, column: { ...column, storageType: storageTypeOf(column) } };
  });
  return [...groupColumns, ...partials].map(({ ref, column }, index) => ({
    ref,
    column: { ...column, source: `c${index}` },
  }));
}

/**
 * Splits a query on one dataset of a plugin. Returns null if the query needs plain rows: the plugin cannot compute a
 * part of it reliably, or the engine could not apply the conditions again to the groups.
 */
export function rollUp(query: Query, model: Model, context: RollUpContext): RollUp | null {
  const ids = [...query.dimensions.map(({ datasetId }) => datasetId), ...query.measures.map(datasetOf)];
  const dataset = model.datasets.get(ids[0] ?? '');
  const isOne = dataset !== undefined && ids.every((id) => id === dataset.id);
  if (!isOne || !query.options.rollupData || query.measures.length === 0) return null;
  const filters = context.rowFilters.get(dataset.id) ?? [];
  if (!filters.every(isCondition)) return null;
  const conditions = [...query.where, ...filters];
  const groups = groupsOf(query, dataset, conditions, context);
  if (groups === null) return null;
  const partials = new PartialResults(dataset);
  const measures = query.measures.map(partials.rewrite);
  const having = query.having.map((condition) => rewriteCondition(condition, partials.rewrite));
  const order = query.order.map((entry) => rewriteOrder(entry, query, partials.rewrite));
  const isRewritten = [...measures, ...having, ...order].every((part) => part !== null);
  if (!isRewritten || !canFinish(query, groups, partials.all)) return null;
  const columnsWithRefs = answerColumns(groups, partials.all);
  const columns = new Map(columnsWithRefs.map(({ column }) => [column.id, column]));
  return {
    groups: columnsWithRefs.map(({ ref }) => ref),
    filters: hintsOf(conditions, dataset),
    columns: columnsWithRefs.map(({ column }) => ({
      id: column.source,
      type: column.type,
      storageType: column.storageType,
    })),
    query: {
      ...query,
      measures: measures.filter((measure) => measure !== null),
      having: having.filter((condition) => condition !== null),
      order: order.filter((entry) => entry !== null),
    },
    model: { datasets: new Map([[dataset.id, { id: dataset.id, columns, formulas: new Map() }]]) },
  };
}

const datasetOf = (measure: Measure): string =>
  measure.kind === 'column' ? measure.on.datasetId : (measure.datasetId ?? '');

type Rewrite = (measure: Measure) => Measure | null;

/** Rewrites a condition on groups so that it tests partial results. Returns null if that is not possible. */
function rewriteCondition(condition: Condition, rewrite: Rewrite): Condition | null {
  if (condition.kind !== 'test') {
    const conditions = condition.of.map((entry) => rewriteCondition(entry, rewrite));
    return conditions.every((value) => value !== null) ? { ...condition, of: conditions } : null;
  }
  const measure = condition.measure === null ? null : rewrite(condition.measure);
  return measure?.kind === 'column' ? { ...condition, on: measure.on, measure } : null;
}

/**
 * Rewrites a sort key so that it uses partial results; a sort key that is a dimension stays as it is. Returns null if
 * rewriting is not possible.
 */
function rewriteOrder(order: Order, { dimensions, measures }: Query, rewrite: Rewrite): Order | null {
  const { columnId } = order.on;
  if (order.measure === null && dimensions.some((dimension) => dimension.columnId === columnId)) return order;
  const ownMeasure = measures.find((candidate) =>
    candidate.kind === 'column' ? candidate.on.columnId === columnId : columnId === '*',
  );
  const orderMeasure = order.measure ?? ownMeasure;
  const measure = orderMeasure === undefined ? null : rewrite(orderMeasure);
  return measure?.kind === 'column' ? { ...order, on: { ...measure.on, part: null }, measure } : null;
}
