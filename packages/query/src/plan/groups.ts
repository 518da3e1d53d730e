import type { Expression } from '../expression.ts';
import { QueryProblem } from '../problem.ts';
import { ownFilters, rootOf, treeOf, type ResolvedQuery } from './resolved-query.ts';
import { keysIn } from './dimensions.ts';
import { datasetOfAggregate, factKey, unionOfFacts, type Fact, type Groups } from './facts.ts';
import type { MeasureExpression } from './measures.ts';
import { pathBetween } from './paths.ts';
import { relationsOf, replace } from './expressions/walk.ts';

/** A measure and its path in the query. */
export type PlacedMeasure = MeasureExpression & { readonly at: string };

/**
 * Returns the groups of a query and a function that returns the expression of a measure. If facts belong to several
 * datasets, each dataset is grouped separately.
 */
export function groupsOf(
  resolvedQuery: ResolvedQuery,
  facts: readonly Fact[],
): Groups & { readonly valueOf: (measured: PlacedMeasure) => Expression } {
  const { groupings, context } = resolvedQuery;
  const roots = [...new Set(facts.map(({ datasetId }) => datasetId))];
  const usedDatasets = [
    ...groupings.map(({ own }) => own.column.datasetId),
    ...resolvedQuery.where.flatMap(({ datasets }) => datasets),
  ];
  const groupsFrom = (root: string): Groups => {
    const rootFacts = facts.filter(({ datasetId }) => datasetId === root);
    const lookedUpDatasets = rootFacts.flatMap((fact) => relationsOf(fact.aggregate));
    const partners = roots.filter((other) => pathBetween(context.model, root, other)?.some(({ exact }) => exact));
    for (const other of roots) {
      if (pathBetween(context.model, root, other) === null)
        throw new QueryProblem('join_missing', 'measures', `no linked columns lead from dataset ${root} to ${other}`);
    }
    const tree = treeOf(resolvedQuery, root, [...lookedUpDatasets, ...partners], 'measures');
    const keys = groupings.flatMap((grouping, index) =>
      keysIn(tree, grouping, ownFilters(resolvedQuery), `dimensions[${index}]`),
    );
    const expressionByFact = new Map(rootFacts.map((fact) => [factKey(fact), tree.place(fact.aggregate, 'measures')]));
    const of: Groups['of'] = (aggregate) => expressionByFact.get(factKey({ datasetId: root, aggregate })) ?? aggregate;
    return { rows: tree.rows(), keys, of };
  };
  const factIn = (aggregate: Fact['aggregate'], { datasetId, at }: PlacedMeasure): Fact => ({
    datasetId: datasetOfAggregate(context.model, aggregate, datasetId, at),
    aggregate,
  });
  const valueWith = (of: (fact: Fact) => Expression) => (measure: PlacedMeasure) =>
    replace(measure.value, (part) => (part.kind === 'aggregate' ? of(factIn(part, measure)) : null));
  const [only, ...otherRoots] = roots;
  if (otherRoots.length === 0) {
    const groups = groupsFrom(only ?? rootOf(context.model, [...new Set(usedDatasets)]));
    return { ...groups, valueOf: valueWith(({ aggregate }) => groups.of(aggregate)) };
  }
  const groupsByRoot = roots.map((root) => ({
    datasetId: root,
    groups: groupsFrom(root),
    facts: facts.filter(({ datasetId }) => datasetId === root),
  }));
  const types = groupsByRoot[0]?.groups.keys.map(({ type }) => type) ?? [];
  const union = unionOfFacts(groupsByRoot, types);
  return { rows: union.rows, keys: union.keys, of: (aggregate) => aggregate, valueOf: valueWith(union.of) };
}
