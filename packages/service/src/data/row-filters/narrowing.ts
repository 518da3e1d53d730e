import type { Json } from '@inlay/contract';
import {
  datasetsOf,
  plan,
  QueryProblem,
  type QueryContext,
  type Model,
  type Query,
  type TestCondition,
} from '@inlay/query';
import { Problem } from '../../problems/problem.ts';
import type { ItemFilters, QueryRequest } from '../query-request.ts';
import type { PlannableQuery } from '../choose.ts';
import { conditionOn, datasetOf } from './row-filters.ts';

/** The tests of groups that a query needs: one for each of its measures over the column of a filter. */
function groupTests(
  { itemId, groupFilters }: ItemFilters,
  { measures, options }: Query,
  parameters: ReadonlyMap<string, Json>,
  models: Model['datasets'],
): readonly TestCondition[] {
  // Without groups there is nothing to narrow: the rows stay.
  if (!options.rollupData) return [];
  const holding = groupFilters.filter(({ chartId }) => chartId === null || chartId === itemId);
  return holding.flatMap((found) =>
    measures.flatMap((measure): readonly TestCondition[] => {
      if (measure.kind !== 'column') return [];
      const { datasetId, columnId } = measure.on;
      const model = models.get(datasetId);
      const { column_id: named } = found.filter;
      const isOver = datasetOf(found) === datasetId && typeof named === 'string' && named.toLowerCase() === columnId;
      if (!isOver || model === undefined) return [];
      // A running sum depends on which groups are left, so that a group is judged by its own sum.
      const own = measure.aggregation === 'cumulativesum' ? ({ ...measure, aggregation: 'sum' } as const) : measure;
      return [{ ...conditionOn(found, parameters, model), on: measure.on, measure: own }];
    }),
  );
}

/** The filters of the item of a query, on datasets that it names. */
function rowTests(
  { itemId, chartFilters }: ItemFilters,
  query: Query,
  parameters: ReadonlyMap<string, Json>,
  models: Model['datasets'],
): readonly TestCondition[] {
  const named = new Set(datasetsOf(query));
  return chartFilters.flatMap((found) => {
    const datasetId = datasetOf(found) ?? '';
    const model = named.has(datasetId) ? models.get(datasetId) : undefined;
    return found.chartId === itemId && model !== undefined ? [conditionOn(found, parameters, model)] : [];
  });
}

/** A model with more columns of its datasets, where they have them. */
const withColumns = ({ datasets }: Model, whole: Model['datasets'], ids: ReadonlySet<string>): Model => ({
  datasets: new Map(
    [...datasets].map(([id, model]) => {
      const more = [...(whole.get(id)?.columns ?? [])].filter(([columnId]) => ids.has(columnId));
      return [id, { ...model, columns: new Map([...model.columns, ...more]) }] as const;
    }),
  ),
});

/**
 * A query with the filters that narrow it beside row filters, and the model that they need: they may test hidden columns. The
 * query itself may not, so that it is planned without them first. Raises QueryProblem for what was asked; Problem
 * `row_filter_invalid` and `parameter_missing` for the filters.
 */
export function narrowed(
  { narrowing, parameters }: Pick<QueryRequest, 'narrowing' | 'parameters'>,
  query: Query,
  model: Model,
  context: QueryContext,
): Pick<PlannableQuery, 'query' | 'model'> {
  const whole = context.wholeModel?.datasets ?? model.datasets;
  const where = rowTests(narrowing, query, parameters, whole);
  const having = groupTests(narrowing, query, parameters, whole);
  if (where.length + having.length === 0) return { query, model };
  plan(query, model, context);
  const narrow = {
    query: { ...query, where: [...query.where, ...where], having: [...query.having, ...having] },
    model: withColumns(model, whole, new Set(where.map(({ on }) => on.columnId))),
  };
  try {
    plan(narrow.query, narrow.model, context);
  } catch (error) {
    if (!(error instanceof QueryProblem)) throw error;
    throw new Problem('row_filter_invalid', {
      message: `A filter that holds for you cannot be applied to this query: ${error.message}.`,
    });
  }
  return narrow;
}
