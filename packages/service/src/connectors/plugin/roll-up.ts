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
import { keptOf } from './datasets.ts';
import { hintsOf, isPlain } from './hints.ts';
import {
  levelWords,
  pushedAggregations,
  type PluginColumnRef,
  type PluginFilter,
  type PushedAggregation,
} from './protocol.ts';
import type { RowColumn } from './rows.ts';

/** A query in two parts: groups that a plugin makes, and the query that finishes them in the engine. */
export interface RollUp {
  readonly groups: readonly PluginColumnRef[];
  readonly filters: readonly PluginFilter[];
  /** The columns of the rows that come back, by their names in `model`. */
  readonly columns: readonly (RowColumn & { readonly kept: ModelColumn['kept'] })[];
  /** The same answer, asked of the rows that came back: all conditions are applied again, the groups grouped again. */
  readonly query: Query;
  readonly model: Model;
}

/** What decides whether a plugin’s periods are ours: its days are those of UTC, its weeks begin on Monday. */
export interface RollUpContext {
  readonly timeZone: string;
  /** 1 Monday … 7 Sunday, where the query does not say. */
  readonly weekstart: number;
  readonly rowFilters: ReadonlyMap<string, readonly RowFilter[]>;
}

interface Partial {
  readonly column: ModelColumn;
  readonly ref: PluginColumnRef;
  /** How partial results are put together. */
  readonly again: 'sum' | 'min' | 'max';
}

interface RollUpMeasure {
  readonly columnId: string;
  readonly aggregation: string;
}

const isPushed = (word: string): word is PushedAggregation => pushedAggregations.some((one) => one === word);
const again = { sum: 'sum', count: 'sum', min: 'min', max: 'max', distinctcount: 'max' } as const;

/** Columns that conditions speak of; null where one is not a row condition on a plain column of the dataset. */
function columnsIn(conditions: readonly Condition[], dataset: ModelDataset): readonly ModelColumn[] | null {
  const found: ModelColumn[] = [];
  for (const condition of conditions) {
    if (condition.kind !== 'test') {
      const inner = columnsIn(condition.of, dataset);
      if (inner === null) return null;
      found.push(...inner);
      continue;
    }
    const column = condition.on.datasetId === dataset.id ? dataset.columns.get(condition.on.columnId) : undefined;
    if (!isPlain(column) || condition.measure !== null) return null;
    found.push(column);
  }
  return found;
}

/** The longest periods of which each has one part. */
const periodOfPart = {
  ...({ weekday: 5, month: 3, quarter: 2, week: 5, day: 5, dayOfYear: 5, hour: 6, minute: 7 } as const),
} as const satisfies Readonly<Record<TimePart, number>>;

/** The columns to group by: dimensions at their level, and whole the columns that conditions are applied to again. */
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
    if (!isPlain(column) || bins !== null || column.type === 'numeric' || column.kept === 'date') return null;
    const period = part === null ? (level ?? 9) : periodOfPart[part];
    const word = column.type === 'datetime' ? period : null;
    if (word !== null && word < 9 && (!isUtc || (word === 4 && !isMonday))) return null;
    const held = groups.get(columnId);
    groups.set(columnId, { column, level: held === undefined || held.level === word ? word : 9 });
  }
  const tested = columnsIn(conditions, dataset);
  if (tested === null) return null;
  for (const column of tested) groups.set(column.id, { column, level: column.type === 'datetime' ? 9 : null });
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
      kept: isCount ? 'integer' : 'double',
      expression: null,
      separator: null,
      joins: [],
    },
    ref: { column_id: column === undefined || isRows ? '*' : column.source, aggregation },
    again: again[aggregation],
  };
}

/** What a measure counts or sums; null where a plugin cannot. */
function measured(measure: Measure, { columns }: ModelDataset): RollUpMeasure | null {
  if (measure.kind === 'rows') return { columnId: '*', aggregation: 'count' };
  if (measure.kind !== 'column' || measure.second !== null || measure.on.level !== null) return null;
  const { columnId } = measure.on;
  const usual = columns.get(columnId)?.type === 'numeric' ? 'sum' : 'count';
  return { columnId, aggregation: measure.aggregation ?? usual };
}

/**
 * Splits a query on one dataset of a plugin; null where a plugin cannot be trusted with a part of it, or where the
 * conditions could not be applied again to what it answers. Then its rows are asked for instead.
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

  const partials = new Map<string, Partial>();
  const rewritten = (measure: Measure): Measure | null => {
    const asked = datasetOf(measure) === dataset.id ? measured(measure, dataset) : null;
    if (asked === null) return null;
    const { columnId, aggregation } = asked;
    const partial = partials.get(partialKey(columnId, aggregation)) ?? partialOf(dataset, columnId, aggregation);
    if (partial === null) return null;
    partials.set(partial.column.id, partial);
    const on = { datasetId: dataset.id, columnId: partial.column.id, level: null };
    return { kind: 'column', on, aggregation: partial.again, second: null };
  };
  const measures = query.measures.map(rewritten);
  const having = query.having.map((condition) => rewriteCondition(condition, rewritten));
  const order = query.order.map((one) => rewriteOrder(one, query, rewritten));
  if (![...measures, ...having, ...order].every((one) => one !== null)) return null;

  const isSameGroups =
    [...groups.keys()].every((id) => query.dimensions.some(({ columnId }) => columnId === id)) &&
    query.dimensions.every(({ columnId, level, part }) => {
      const group = groups.get(columnId);
      return part === null && (group?.level === null || group?.level === (level ?? 9));
    });
  const counts = [...partials.values()].some(({ column }) => column.kept === 'integer');
  const distinct = [...partials.values()].some(({ ref }) => ref.aggregation === 'distinctcount');
  // Distinct values cannot be added up, and a count of no groups at all would be null instead of 0.
  if ((distinct && !isSameGroups) || (counts && query.dimensions.length === 0 && groups.size > 0)) return null;

  const grouped = [...groups.values()].map(({ column, level }, index) => {
    const word = level === null ? undefined : levelWords[level - 1];
    const ref: PluginColumnRef = { column_id: column.source, ...(word === undefined ? {} : { level: word }) };
    return { ref, column: { ...column, source: `c${index}`, kept: keptOf(column) } };
  });
  const summed = [...partials.values()].map(({ ref, column }, index) => ({
    ref,
    column: { ...column, source: `c${groups.size + index}` },
  }));
  const all = [...grouped, ...summed];
  const columns = new Map(all.map(({ column }) => [column.id, column]));
  return {
    groups: all.map(({ ref }) => ref),
    filters: hintsOf(conditions, dataset),
    columns: all.map(({ column }) => ({ id: column.source, type: column.type, kept: column.kept })),
    query: {
      ...query,
      measures: measures.filter((one) => one !== null),
      having: having.filter((one) => one !== null),
      order: order.filter((one) => one !== null),
    },
    model: { datasets: new Map([[dataset.id, { id: dataset.id, columns, formulas: new Map() }]]) },
  };
}

const datasetOf = (measure: Measure): string =>
  measure.kind === 'column' ? measure.on.datasetId : (measure.datasetId ?? '');

type Rewrite = (measure: Measure) => Measure | null;

/** A condition on groups as it speaks of partial results; null where it cannot. */
function rewriteCondition(given: Condition, rewrite: Rewrite): Condition | null {
  if (given.kind !== 'test') {
    const inner = given.of.map((one) => rewriteCondition(one, rewrite));
    return inner.every((one) => one !== null) ? { ...given, of: inner } : null;
  }
  const measure = given.measure === null ? null : rewrite(given.measure);
  return measure?.kind === 'column' ? { ...given, on: measure.on, measure } : null;
}

/** An order as it speaks of partial results; one by a dimension stays. */
function rewriteOrder(given: Order, { dimensions, measures }: Query, rewrite: Rewrite): Order | null {
  const { columnId } = given.on;
  if (given.measure === null && dimensions.some((one) => one.columnId === columnId)) return given;
  const own = measures.find((one) => (one.kind === 'column' ? one.on.columnId === columnId : columnId === '*'));
  const meant = given.measure ?? own;
  const measure = meant === undefined ? null : rewrite(meant);
  return measure?.kind === 'column' ? { ...given, on: { ...measure.on, part: null }, measure } : null;
}
