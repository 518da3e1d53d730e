import type { Expression } from '../expression.ts';
import type { Model } from '../model.ts';
import type { Query } from '../query.ts';
import type { Where } from './expressions/conditions.ts';
import type { Grouping } from './dimensions.ts';
import type { PlanContext } from './context.ts';
import type { SortKey } from './ordering.ts';
import { looksUp } from './paths.ts';
import { JoinTree } from './join-tree/join-tree.ts';

/** A query with its resolved groupings, filters and order. */
export interface ResolvedQuery {
  readonly query: Query;
  readonly context: PlanContext;
  readonly groupings: readonly Grouping[];
  readonly where: readonly Where[];
  readonly ordering: readonly SortKey[];
  readonly limit: number;
}

/** Returns a function that returns those filters of a query that use only one given dataset. */
export const ownFilters =
  ({ where }: ResolvedQuery) =>
  (datasetId: string): readonly Expression[] =>
    where.filter(({ datasets }) => datasets.length === 1 && datasets[0] === datasetId).map(({ test }) => test);

/** Joins a dataset with the other datasets of the query, and applies the filters of the query. */
export function treeOf(
  resolvedQuery: ResolvedQuery,
  root: string,
  otherDatasets: readonly string[],
  at: string,
): JoinTree {
  const { context, groupings, where, query } = resolvedQuery;
  const namedDatasets = [
    ...groupings.map(({ own }) => own.column.datasetId),
    ...where.flatMap(({ datasets }) => datasets),
    ...otherDatasets,
  ];
  const others = [...new Set(namedDatasets)].filter((id) => id !== root);
  const tree = new JoinTree(context, root, others, at, !query.options.rollupData);
  for (const { test, at: place } of where) tree.restrict(test, place);
  return tree;
}

/** Returns the dataset that looks up the most of the other datasets. Its rows answer a query without measures. */
export function rootOf(model: Model, datasets: readonly string[]): string {
  const reachedCount = (text: string): number => datasets.filter((other) => looksUp(model, text, other)).length;
  const [firstDataset = ''] = datasets;
  return datasets.reduce((best, value) => (reachedCount(value) > reachedCount(best) ? value : best), firstDataset);
}
