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

/** Creates conditions on groups. Each filter becomes a condition on each measure over the column of the filter. */
function groupTests(
  { itemId, groupFilters }: ItemFilters,
  { measures, options }: Query,
  parameters: ReadonlyMap<string, Json>,
  models: Model['datasets'],
): readonly TestCondition[] {
  // Without groups, filters on groups do not apply.
  if (!options.rollupData) return [];
  const itemFilters = groupFilters.filter(({ chartId }) => chartId === null || chartId === itemId);
  return itemFilters.flatMap((filter) =>
    measures.flatMap((measure): readonly TestCondition[] => {
      if (measure.kind !== 'column') return [];
      const { datasetId, columnId } = measure.on;
      const model = models.get(datasetId);
      const { column_id: filterColumn } = filter.filter;
      const isOver =
        datasetOf(filter) === datasetId && typeof filterColumn === 'string' && filterColumn.toLowerCase() === columnId;
      if (!isOver || model === undefined) return [];
      // A running sum depends on which groups remain, so the condition tests the sum of the group itself.
      const ownMeasure =
        measure.aggregation === 'cumulativesum' ? ({ ...measure, aggregation: 'sum' } as const) : measure;
      return [{ ...conditionOn(filter, parameters, model), on: measure.on, measure: ownMeasure }];
    }),
  );
}

/** Creates conditions on rows from those filters of the item that concern datasets of the query. */
function rowTests(
  { itemId, chartFilters }: ItemFilters,
  query: Query,
  parameters: ReadonlyMap<string, Json>,
  models: Model['datasets'],
): readonly TestCondition[] {
  const queryDatasets = new Set(datasetsOf(query));
  return chartFilters.flatMap((filter) => {
    const datasetId = datasetOf(filter) ?? '';
    const model = queryDatasets.has(datasetId) ? models.get(datasetId) : undefined;
    return filter.chartId === itemId && model !== undefined ? [conditionOn(filter, parameters, model)] : [];
  });
}

/** Adds columns to the datasets of a model. Ignores ids of columns that the datasets do not have. */
const withColumns = ({ datasets }: Model, wholeDatasets: Model['datasets'], ids: ReadonlySet<string>): Model => ({
  datasets: new Map(
    [...datasets].map(([id, model]) => {
      const furtherColumns = [...(wholeDatasets.get(id)?.columns ?? [])].filter(([columnId]) => ids.has(columnId));
      return [id, { ...model, columns: new Map([...model.columns, ...furtherColumns]) }] as const;
    }),
  ),
});

/**
 * Adds the filters of the item and the filters on groups to a query. These filters may test hidden columns, so their
 * columns are added to the model. The query itself must not use hidden columns, so it is checked before anything is
 * added. Raises QueryProblem for faults of the query, and Problem `row_filter_invalid` and `parameter_missing` for
 * faults of the filters.
 */
export function narrowed(
  { narrowing, parameters }: Pick<QueryRequest, 'narrowing' | 'parameters'>,
  query: Query,
  model: Model,
  context: QueryContext,
): Pick<PlannableQuery, 'query' | 'model'> {
  const wholeModel = context.wholeModel?.datasets ?? model.datasets;
  const where = rowTests(narrowing, query, parameters, wholeModel);
  const having = groupTests(narrowing, query, parameters, wholeModel);
  if (where.length + having.length === 0) return { query, model };
  plan(query, model, context);
  const narrowedQuery = {
    query: { ...query, where: [...query.where, ...where], having: [...query.having, ...having] },
    model: withColumns(model, wholeModel, new Set(where.map(({ on }) => on.columnId))),
  };
  try {
    plan(narrowedQuery.query, narrowedQuery.model, context);
  } catch (error) {
    if (!(error instanceof QueryProblem)) throw error;
    throw new Problem('row_filter_invalid', {
      message: `A filter that holds for you cannot be applied to this query: ${error.message}.`,
    });
  }
  return narrowedQuery;
}
