import { selectOf, type Select } from '../expression.ts';
import { QueryProblem } from '../problem.ts';
import { ownFilters, rootOf, treeOf, type ResolvedQuery } from './resolved-query.ts';
import { named, orderOf, partOf, type PlanCell } from './cells.ts';
import { keysIn } from './dimensions.ts';
import { rawMeasureOf, type MeasureExpression } from './measures.ts';
import { relationsOf } from './expressions/walk.ts';

/** Rows without rollup (`rollup_data` false): dimensions and measures are plain columns. */
export function rawPlan(resolved: ResolvedQuery): { readonly body: Select; readonly cells: readonly PlanCell[] } {
  const { query, context, groupings, ordering } = resolved;
  if (query.having.length > 0)
    throw new QueryProblem('expression_invalid', 'having', 'there are no groups where rows are not rolled up');
  const measures = query.measures.map((measure, index) => rawMeasureOf(context, measure, `measures[${index}]`));
  const others = ordering.flatMap((key) => (key.kind === 'other' ? [rawMeasureOf(context, key.measure, key.at)] : []));
  const read = [...measures, ...others].flatMap(({ value, datasetId }) => [
    ...relationsOf(value),
    ...(datasetId === null ? [] : [datasetId]),
  ]);
  const datasets = [...new Set([...groupings.map(({ own }) => own.column.datasetId), ...read])];
  const tree = treeOf(resolved, rootOf(context.model, datasets), datasets, 'dimensions');
  const dimensions = named(
    groupings.map((grouping, index) => {
      const at = `dimensions[${index}]`;
      const exact = grouping.cell.kind === 'datetime' && query.dimensions[index]?.level === null;
      return exact
        ? partOf({ ...grouping, answer: (key) => key }, [tree.place(grouping.value, at)])
        : partOf(grouping, keysIn(tree, grouping, ownFilters(resolved), at));
    }),
    'd',
  );
  const plainParts = (list: readonly MeasureExpression[], letter: string) =>
    named(
      list.map(({ value, cell }) => ({ columns: [tree.place(value, 'measures')], cell, answer: (columns) => columns })),
      letter,
    );
  const values = plainParts(measures, 'm');
  const hidden = plainParts(others, 'o');
  const rows = tree.rows();
  const body: Select = {
    ...selectOf(rows.from, rows.as, [...dimensions.columns, ...values.columns, ...hidden.columns]),
    ...rows,
    order: orderOf(ordering, dimensions.cells, values.cells, hidden.columns),
    limit: resolved.limit,
    offset: query.limit.offset,
  };
  return { body, cells: [...dimensions.cells, ...values.cells] };
}
