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

/** What a query is answered for. specification/data-queries#row-filters */
export interface QueryContext {
  readonly nowMs: number;
  /** IANA zone of row filters, and of the query where it names none. */
  readonly timeZone: string;
  /** 1 Monday … 7 Sunday, for row filters, and for the query where it names none. */
  readonly weekstart: number;
  /** Language of names of members where the query names none. */
  readonly locale: string;
  /** At most so many rows; a plan asks for one more, so that a cut is seen. */
  readonly rowLimit: number;
  /** By dataset id: tests that every row read for this caller must pass, whatever the query says. */
  readonly rowFilters: ReadonlyMap<string, readonly RowFilter[]>;
  /** What row filters may speak of beside the model of the query: hidden columns, and datasets that only they reach. */
  readonly wholeModel?: Model;
}

/** How a query is answered: one select, and the cells made of its rows. Plain data; the same query, the same plan. */
export interface Plan {
  readonly body: Select;
  readonly cells: readonly PlanCell[];
  readonly locale: string;
}

/**
 * Plans a query over what its caller may see. Pure: the clock, the zone and the row filters come in the context.
 * Raises QueryProblem with a stable code and the place in the query.
 */
export function plan(query: Query, model: Model, queryContext: QueryContext): Plan {
  const zone = zoneNamed(query.options.timezoneId ?? queryContext.timeZone, 'options.timezone_id');
  const weekstart = query.options.weekstart ?? queryContext.weekstart;
  const { nowMs, rowFilters } = queryContext;
  const own = {
    nowMs,
    zone: zoneNamed(queryContext.timeZone, 'options.timezone_id'),
    weekstart: queryContext.weekstart,
  };
  const context: PlanContext = {
    model,
    rowFilters,
    clock: { nowMs, zone, weekstart },
    formulas: noFormulas(),
    ofRowFilters: { model: queryContext.wholeModel ?? model, clock: own, formulas: noFormulas() },
  };
  if (query.dimensions.length + query.measures.length === 0)
    throw new QueryProblem('query_empty', '', 'name dimensions or measures');
  const resolved: ResolvedQuery = {
    query,
    context,
    groupings: query.dimensions.map((one, index) => groupingOf(context, one, `dimensions[${index}]`)),
    where: whereOf(context, query.where),
    ordering: orderingOf(query),
    limit: Math.min(query.limit.by ?? Number.MAX_SAFE_INTEGER, queryContext.rowLimit + 1),
  };
  const [first] = query.dimensions;
  if (query.limit.others === true && first?.level === null && resolved.groupings[0]?.own.column.type === 'datetime')
    throw new QueryProblem(
      'level_invalid',
      'dimensions[0]',
      'needs a level, so that `limit.others` can leave out times',
    );
  const locale = query.options.localeId ?? queryContext.locale;
  const made = query.options.rollupData ? groupedPlan(resolved) : rawPlan(resolved);
  return { ...made, locale: isLanguage(locale) ? locale : 'en' };
}

/**
 * Plans the reading of the keys that a row filter along a lookup lets through, at most so many and one more, so that too many
 * are seen; null where keys of their types cannot be sent to another database. Raises QueryProblem `row_filter_invalid`.
 */
export function planKeys(
  filter: LookupFilter,
  context: QueryContext & { readonly wholeModel: Model },
  most: number,
): { readonly plan: Plan; readonly type: KeyType } | null {
  const { nowMs, weekstart, wholeModel: model } = context;
  const clock = { nowMs, zone: zoneNamed(context.timeZone, 'options.timezone_id'), weekstart };
  const ofRowFilters = { model, clock, formulas: noFormulas() };
  const found = keysOf({ ...ofRowFilters, rowFilters: new Map(), ofRowFilters }, filter);
  if (found === null) return null;
  const { select, type } = found;
  const cells = [{ cell: cellOf(type), of: [column('q', 'k', type)] }];
  return { plan: { body: { ...select, limit: most + 1 }, cells, locale: 'en' }, type };
}

/** The tests of conditions, however deep. */
const testsIn = (conditions: readonly Condition[]): readonly TestCondition[] =>
  conditions.flatMap((one) => (one.kind === 'test' ? [one] : testsIn(one.of)));

/** The measures of a query, those that it only compares or orders by too. */
export function measuresOf({ measures, having, order }: Query): readonly Measure[] {
  const compared = testsIn(having).flatMap(({ measure }) => measure ?? []);
  return [...measures, ...compared, ...order.flatMap(({ measure }) => measure ?? [])];
}

/** Ids of the datasets that a query names itself, each once. */
export function datasetsOf(query: Query): readonly string[] {
  const ofMeasure = (measure: Measure): readonly string[] => {
    if (measure.kind !== 'column') return measure.datasetId === null ? [] : [measure.datasetId];
    return [measure.on.datasetId, ...(measure.second === null ? [] : [measure.second.datasetId])];
  };
  const found = [
    ...query.dimensions.map(({ datasetId }) => datasetId),
    ...measuresOf(query).flatMap(ofMeasure),
    ...testsIn([...query.where, ...query.having]).map(({ on }) => on.datasetId),
    ...query.order.map(({ on }) => on.datasetId),
  ];
  return [...new Set(found)].filter((id) => id !== '');
}
