import {
  aggregate,
  call,
  column,
  literal,
  selectOf,
  type Expression,
  type RowSource,
  type Select,
} from '../expression.ts';
import type { Model } from '../model.ts';
import { QueryProblem } from '../problem.ts';
import type { MeasureExpression } from './measures.ts';
import { looksUp } from './paths.ts';
import { aggregatesOf, keyOf, relationsOf } from './expressions/walk.ts';

type Aggregate = Extract<Expression, { readonly kind: 'aggregate' }>;

/** Rows before grouping, their keys, and a function that returns the expression of an aggregate over these rows. */
export interface Groups {
  readonly rows: RowSource;
  readonly keys: readonly Expression[];
  readonly of: (aggregate: Aggregate) => Expression;
}

/** An aggregate and the dataset whose rows it is computed over. */
export interface Fact {
  readonly datasetId: string;
  readonly aggregate: Aggregate;
}

/** Returns a key that is the same for equal facts and differs for others. */
export const factKey = (fact: Fact): string => `${fact.datasetId} ${keyOf(fact.aggregate)}`;

/**
 * Returns the dataset whose rows an aggregate is computed over: the one that looks up all other datasets in the
 * aggregate.
 */
export function datasetOfAggregate(model: Model, aggregate: Aggregate, fallback: string | null, at: string): string {
  const relations = relationsOf(aggregate);
  if (relations.length === 0) {
    if (fallback !== null) return fallback;
    throw new QueryProblem('aggregation_invalid', at, 'say of which dataset the rows are counted: dataset_id');
  }
  const root = relations.find((entry) => relations.every((other) => other === entry || looksUp(model, entry, other)));
  if (root === undefined)
    throw new QueryProblem('join_missing', at, 'one aggregate speaks of datasets of which none looks up the others');
  return root;
}

/** Returns the facts of measures, each once, in order of appearance. */
export function factsOf(
  model: Model,
  measures: readonly (MeasureExpression & { readonly at: string })[],
): readonly Fact[] {
  const facts = new Map<string, Fact>();
  for (const { value, datasetId, at } of measures) {
    for (const entry of aggregatesOf(value)) {
      const fact = { datasetId: datasetOfAggregate(model, entry, datasetId, at), aggregate: entry };
      facts.set(factKey(fact), facts.get(factKey(fact)) ?? fact);
    }
  }
  return [...facts.values()];
}

/**
 * Combines facts of several datasets. Each dataset is grouped separately, and groups with equal keys are then merged,
 * so that no dataset multiplies the rows of another.
 */
export function unionOfFacts(
  groups: readonly { readonly datasetId: string; readonly groups: Groups; readonly facts: readonly Fact[] }[],
  types: readonly Expression['type'][],
): { readonly rows: RowSource; readonly keys: readonly Expression[]; readonly of: (fact: Fact) => Expression } {
  const facts = groups.flatMap((group) => group.facts);
  const names = new Map(facts.map((fact, index) => [factKey(fact), `a${index}`]));
  const of = groups.map((group): Select => {
    const keys = group.groups.keys.map((key, index) => ({ as: `d${index}`, of: key }));
    const values = facts.map((fact, index) => ({
      as: `a${index}`,
      of: group.facts.includes(fact) ? group.groups.of(fact.aggregate) : literal(null, fact.aggregate.type),
    }));
    const { rows } = group.groups;
    return { ...selectOf(rows.from, rows.as, [...keys, ...values]), ...rows, grouped: keys.length };
  });
  const rows: RowSource = { from: { kind: 'stack', of }, as: 's', joins: [], where: [] };
  return {
    rows,
    keys: types.map((type, index) => column('s', `d${index}`, type)),
    of: (fact) => {
      const { type, name } = fact.aggregate;
      const only = aggregate('max', [column('s', names.get(factKey(fact)) ?? 'a0', type)], type);
      const counts = name === 'count' || name === 'rows' || name === 'distinct';
      return counts ? call('coalesce', [only, literal(0, type)], type) : only;
    },
  };
}
