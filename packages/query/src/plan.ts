import { column, type Select } from './expression.ts';
import { isLanguage } from '@inlay/contract';
import type { Model } from './model.ts';
import type { ResolvedQuery } from './plan/resolved-query.ts';
import type { PlanCell } from './plan/cells.ts';
import { whereOf } from './plan/expressions/conditions.ts';
import { groupingOf } from './plan/dimensions.ts';
import { noFormulas, type PlanContext } from './plan/context.ts';
import { groupedPlan } from './plan/grouped.ts';
import { cellOf } from './plan/measures.ts';
import { orderingOf } from './plan/ordering.ts';
import { rawPlan } from './plan/raw.ts';
import { keysOf } from './plan/scans.ts';
import { zoneNamed } from './plan/time/zone.ts';
import { QueryProblem } from './problem.ts';
import type { Condition, KeyType, LookupFilter, Measure, Query, RowFilter, TestCondition } from './query.ts';

/** The caller of a query: clock, locale and row filters. specification/data-queries#row-filters */
export interface QueryContext {
  readonly nowMs: number;
  /** IANA zone of row filters, and of queries that set no zone. */
  readonly timeZone: string;
  /** First day of the week (1 Monday … 7 Sunday) in row filters, and in queries that set no first day. */
  readonly weekstart: number;
  /** Language of member names in queries that set no language. */
  readonly locale: string;
  /** Maximum number of rows in an answer. A plan reads one row more to detect truncation. */
  readonly rowLimit: number;
  /** Row filters by dataset id. Every row that this caller sees passes all row filters of its dataset. */
  readonly rowFilters: ReadonlyMap<string, readonly RowFilter[]>;
  /** Model for row filters, which may use hidden columns and further datasets. By default the model of the query. */
  readonly wholeModel?: Model;
}

/** A plan: one select, and the cells computed from its rows. Equal queries have equal plans, which are plain data. */
export interface Plan {
  readonly body: Select;
  readonly cells: readonly PlanCell[];
  readonly locale: string;
}

/**
 * Plans a query over what its caller may see. Pure: clock, zone and row filters come from the context.
 * Raises QueryProblem with a stable code and a path in the query.
 */
export function plan(query: Query, model: Model, queryContext: QueryContext): Plan {
  const zone = zoneNamed(query.options.timezoneId ?? queryContext.timeZone, 'options.timezone_id');
  const weekstart = query.options.weekstart ?? queryContext.weekstart;
  const { nowMs, rowFilters } = queryContext;
  const clock = {
    nowMs,
    zone: zoneNamed(queryContext.timeZone, 'options.timezone_id'),
    weekstart: queryContext.weekstart,
  };
  const context: PlanContext = {
    model,
    rowFilters,
    clock: { nowMs, zone, weekstart },
    formulas: noFormulas(),
    ofRowFilters: { model: queryContext.wholeModel ?? model, clock: clock, formulas: noFormulas() },
  };
  if (query.dimensions.length + query.measures.length === 0)
    throw new QueryProblem('query_empty', '', 'name dimensions or measures');
  const resolvedQuery: ResolvedQuery = {
    query,
    context,
    groupings: query.dimensions.map((dimension, index) => groupingOf(context, dimension, `dimensions[${index}]`)),
    where: whereOf(context, query.where),
    ordering: orderingOf(query),
    limit: Math.min(query.limit.by ?? Number.MAX_SAFE_INTEGER, queryContext.rowLimit + 1),
  };
  const [firstDimension] = query.dimensions;
  if (
    query.limit.others === true &&
    firstDimension?.level === null &&
    resolvedQuery.groupings[0]?.own.column.type === 'datetime'
  )
    throw new QueryProblem(
      'level_invalid',
      'dimensions[0]',
      'needs a level, so that `limit.others` can leave out times',
    );
  const locale = query.options.localeId ?? queryContext.locale;
  const bodyAndCells = query.options.rollupData ? groupedPlan(resolvedQuery) : rawPlan(resolvedQuery);
  return { ...bodyAndCells, locale: isLanguage(locale) ? locale : 'en' };
}

/**
 * Plans a statement that reads the keys that are visible through a lookup of a row filter. It reads one key more than
 * the limit to detect overflow. Returns null if keys of this type cannot be sent to another database. Raises
 * QueryProblem `row_filter_invalid`.
 */
export function planKeys(
  filter: LookupFilter,
  context: QueryContext & { readonly wholeModel: Model },
  limit: number,
): { readonly plan: Plan; readonly type: KeyType } | null {
  const { nowMs, weekstart, wholeModel: model } = context;
  const clock = { nowMs, zone: zoneNamed(context.timeZone, 'options.timezone_id'), weekstart };
  const ofRowFilters = { model, clock, formulas: noFormulas() };
  const keys = keysOf({ ...ofRowFilters, rowFilters: new Map(), ofRowFilters }, filter);
  if (keys === null) return null;
  const { select, type } = keys;
  const cells = [{ cell: cellOf(type), of: [column('q', 'k', type)] }];
  return { plan: { body: { ...select, limit: limit + 1 }, cells, locale: 'en' }, type };
}

/** Returns all tests in conditions, including those in nested groups. */
const testsIn = (conditions: readonly Condition[]): readonly TestCondition[] =>
  conditions.flatMap((condition) => (condition.kind === 'test' ? [condition] : testsIn(condition.of)));

/** Returns the measures of a query, including those in `having` and `order`. */
export function measuresOf({ measures, having, order }: Query): readonly Measure[] {
  const comparedMeasures = testsIn(having).flatMap(({ measure }) => measure ?? []);
  return [...measures, ...comparedMeasures, ...order.flatMap(({ measure }) => measure ?? [])];
}

/** Returns the ids of the datasets that a query names. */
export function datasetsOf(query: Query): readonly string[] {
  const ofMeasure = (measure: Measure): readonly string[] => {
    if (measure.kind !== 'column') return measure.datasetId === null ? [] : [measure.datasetId];
    return [measure.on.datasetId, ...(measure.second === null ? [] : [measure.second.datasetId])];
  };
  const ids = [
    ...query.dimensions.map(({ datasetId }) => datasetId),
    ...measuresOf(query).flatMap(ofMeasure),
    ...testsIn([...query.where, ...query.having]).map(({ on }) => on.datasetId),
    ...query.order.map(({ on }) => on.datasetId),
  ];
  return [...new Set(ids)].filter((id) => id !== '');
}
