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

/** Returns the groups of a query, separate per fact if there are several, and the expressions of its measures. */
export function groupsOf(
  resolved: ResolvedQuery,
  facts: readonly Fact[],
): Groups & { readonly valueOf: (measured: PlacedMeasure) => Expression } {
  const { groupings, context } = resolved;
  const roots = [...new Set(facts.map(({ datasetId }) => datasetId))];
  const used = [
    ...groupings.map(({ own }) => own.column.datasetId),
    ...resolved.where.flatMap(({ datasets }) => datasets),
  ];
  const single = (root: string): Groups => {
    const own = facts.filter(({ datasetId }) => datasetId === root);
    const looked = own.flatMap((fact) => relationsOf(fact.aggregate));
    const partners = roots.filter((other) => pathBetween(context.model, root, other)?.some(({ exact }) => exact));
    for (const other of roots) {
      if (pathBetween(context.model, root, other) === null)
        throw new QueryProblem('join_missing', 'measures', `no linked columns lead from dataset ${root} to ${other}`);
    }
    const tree = treeOf(resolved, root, [...looked, ...partners], 'measures');
    const keys = groupings.flatMap((grouping, index) =>
      keysIn(tree, grouping, ownFilters(resolved), `dimensions[${index}]`),
    );
    const placed = new Map(own.map((fact) => [factKey(fact), tree.place(fact.aggregate, 'measures')]));
    const of: Groups['of'] = (aggregate) => placed.get(factKey({ datasetId: root, aggregate })) ?? aggregate;
    return { rows: tree.rows(), keys, of };
  };
  const factIn = (aggregate: Fact['aggregate'], { datasetId, at }: PlacedMeasure): Fact => ({
    datasetId: datasetOfAggregate(context.model, aggregate, datasetId, at),
    aggregate,
  });
  const valued = (of: (fact: Fact) => Expression) => (measured: PlacedMeasure) =>
    replace(measured.value, (part) => (part.kind === 'aggregate' ? of(factIn(part, measured)) : null));
  const [only, ...more] = roots;
  if (more.length === 0) {
    const groups = single(only ?? rootOf(context.model, [...new Set(used)]));
    return { ...groups, valueOf: valued(({ aggregate }) => groups.of(aggregate)) };
  }
  const each = roots.map((root) => ({
    datasetId: root,
    groups: single(root),
    facts: facts.filter(({ datasetId }) => datasetId === root),
  }));
  const types = each[0]?.groups.keys.map(({ type }) => type) ?? [];
  const together = unionOfFacts(each, types);
  return { rows: together.rows, keys: together.keys, of: (aggregate) => aggregate, valueOf: valued(together.of) };
}
