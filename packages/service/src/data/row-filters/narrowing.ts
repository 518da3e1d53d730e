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

/** Creates conditions on groups: one for each measure over the column of a filter. */
function groupTests(
  { itemId, groupFilters }: ItemFilters,
  { measures, options }: Query,
  parameters: ReadonlyMap<string, Json>,
  models: Model['datasets'],
): readonly TestCondition[] {
  // Without groups there is nothing to filter; the rows stay.
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
      // A running sum depends on which groups remain, so a group is tested by its own sum.
      const ownMeasure =
        measure.aggregation === 'cumulativesum' ? ({ ...measure, aggregation: 'sum' } as const) : measure;
      return [{ ...conditionOn(filter, parameters, model), on: measure.on, measure: ownMeasure }];
    }),
  );
}

/** Creates conditions on rows from filters of the item, on datasets of the query. */
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

/** Adds columns to a model if they exist in its datasets. */
const withColumns = ({ datasets }: Model, wholeDatasets: Model['datasets'], ids: ReadonlySet<string>): Model => ({
  datasets: new Map(
    [...datasets].map(([id, model]) => {
      const furtherColumns = [...(wholeDatasets.get(id)?.columns ?? [])].filter(([columnId]) => ids.has(columnId));
      return [id, { ...model, columns: new Map([...model.columns, ...furtherColumns]) }] as const;
    }),
  ),
});

/**
 * Adds filters of items and groups to a query, and the columns that they need to its model: filters may test hidden
 * columns. The query itself may not, so it is checked without them first. Raises QueryProblem for the query; Problem
 * `row_filter_invalid` and `parameter_missing` for the filters.
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
