import type { Expression } from '../../expression.ts';
import type { Condition, Measure, Query } from '../../query.ts';
import { QueryProblem } from '../../problem.ts';
import type { PlanContext } from '../context.ts';
import { compileCondition } from '../scans.ts';
import { and, compileTest, or } from './tests.ts';
import { sortOf } from './values.ts';
import { relationsOf } from './walk.ts';

/** One of the filters that are combined by AND, with the datasets that it uses. */
export interface Where {
  readonly test: Expression;
  readonly at: string;
  readonly datasets: readonly string[];
}

/** Returns filters to be combined by AND. The filters of an `and` group become single filters. */
export function whereOf(context: PlanContext, conditions: readonly Condition[], at = 'where'): readonly Where[] {
  return conditions.flatMap((condition, index) => {
    const place = `${at}[${index}]`;
    if (condition.kind === 'all') return whereOf(context, condition.of, `${place}.and`);
    const test = compileCondition(context, condition, place);
    return [{ test, at: place, datasets: relationsOf(test) }];
  });
}

/** Returns the measures in `having` and their paths. */
export function measuresIn(
  conditions: readonly Condition[],
  at = 'having',
): readonly { readonly measure: Measure; readonly at: string }[] {
  return conditions.flatMap((condition, index) => {
    const place = `${at}[${index}]`;
    if (condition.kind !== 'test')
      return measuresIn(condition.of, `${place}.${condition.kind === 'all' ? 'and' : 'or'}`);
    return condition.measure === null ? [] : [{ measure: condition.measure, at: `${place}.parameters[0]` }];
  });
}

/** Replaces a measure without aggregation by the query's measure on the same column. */
export function settledMeasure(query: Query, measure: Measure): Measure {
  if (measure.kind !== 'column' || measure.aggregation !== null) return measure;
  const { datasetId, columnId } = measure.on;
  const requestedMeasure = query.measures.find(
    (candidate) =>
      candidate.kind === 'column' && candidate.on.datasetId === datasetId && candidate.on.columnId === columnId,
  );
  return requestedMeasure ?? measure;
}

/** Compiles `having` to tests of groups; `valueOf` returns the value of a measure for a group. */
export function havingOf(
  context: PlanContext,
  conditions: readonly Condition[],
  valueOf: (measure: Measure, at: string) => Expression,
  at = 'having',
): readonly Expression[] {
  return conditions.map((condition, index) => {
    const place = `${at}[${index}]`;
    if (condition.kind !== 'test') {
      const of = havingOf(context, condition.of, valueOf, `${place}.${condition.kind === 'all' ? 'and' : 'or'}`);
      return condition.kind === 'all' ? and(of) : or(of);
    }
    if (condition.measure === null) throw new QueryProblem('expression_invalid', place, 'having compares measures');
    const value = valueOf(condition.measure, `${place}.parameters[0]`);
    const testedValue = { value, sort: sortOf(value.type), level: null, latest: null };
    return compileTest(condition.expression, testedValue, condition.operand, context.clock, place);
  });
}
