import { selectOf, type Select } from '../expression.ts';
import { QueryProblem } from '../problem.ts';
import { ownFilters, rootOf, treeOf, type ResolvedQuery } from './resolved-query.ts';
import { named, orderOf, partOf, type PlanCell } from './cells.ts';
import { keysIn } from './dimensions.ts';
import { rawMeasureOf, type MeasureExpression } from './measures.ts';
import { relationsOf } from './expressions/walk.ts';

/** Plans a query without rollup (`rollup_data` is false): dimensions and measures are plain columns. */
export function rawPlan(resolvedQuery: ResolvedQuery): { readonly body: Select; readonly cells: readonly PlanCell[] } {
  const { query, context, groupings, ordering } = resolvedQuery;
  if (query.having.length > 0)
    throw new QueryProblem('expression_invalid', 'having', 'there are no groups where rows are not rolled up');
  const measures = query.measures.map((measure, index) => rawMeasureOf(context, measure, `measures[${index}]`));
  const others = ordering.flatMap((key) => (key.kind === 'other' ? [rawMeasureOf(context, key.measure, key.at)] : []));
  const readDatasets = [...measures, ...others].flatMap(({ value, datasetId }) => [
    ...relationsOf(value),
    ...(datasetId === null ? [] : [datasetId]),
  ]);
  const datasets = [...new Set([...groupings.map(({ own }) => own.column.datasetId), ...readDatasets])];
  const tree = treeOf(resolvedQuery, rootOf(context.model, datasets), datasets, 'dimensions');
  const dimensions = named(
    groupings.map((grouping, index) => {
      const at = `dimensions[${index}]`;
      const isExact = grouping.cell.kind === 'datetime' && query.dimensions[index]?.level === null;
      return isExact
        ? partOf({ ...grouping, answer: (key) => key }, [tree.place(grouping.value, at)])
        : partOf(grouping, keysIn(tree, grouping, ownFilters(resolvedQuery), at));
    }),
    'd',
  );
  const plainParts = (list: readonly MeasureExpression[], letter: string) =>
    named(
      list.map(({ value, cell }) => ({ columns: [tree.place(value, 'measures')], cell, answer: (columns) => columns })),
      letter,
    );
  const values = plainParts(measures, 'm');
  const hiddenValues = plainParts(others, 'o');
  const rows = tree.rows();
  const body: Select = {
    ...selectOf(rows.from, rows.as, [...dimensions.columns, ...values.columns, ...hiddenValues.columns]),
    ...rows,
    order: orderOf(ordering, dimensions.cells, values.cells, hiddenValues.columns),
    limit: resolvedQuery.limit,
    offset: query.limit.offset,
  };
  return { body, cells: [...dimensions.cells, ...values.cells] };
}
