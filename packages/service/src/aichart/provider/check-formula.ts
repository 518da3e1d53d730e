import { isObject, member, type Json } from '@inlay/contract';
import type { Quantity } from '../plan.ts';
import { columnIn, quantityIn, textsIn, type AnswerContext } from './answer-context.ts';
import { maxTexts } from './prompt.ts';

/** Returns the quantity that a formula of an answer computes; null if it is no formula, which is a fault. */
export function formulaQuantity(context: AnswerContext, formula: Json, at: string): Quantity | null {
  const { profile, find, fault, miss } = context;
  const wrong = (text: string): null => {
    fault(`${at} ${text}`);
    return null;
  };
  if (!isObject(formula)) return wrong('has a formula that is no object');
  const kind = member(formula, 'kind');
  if (kind === 'rate') {
    const column = columnIn(profile, member(formula, 'column'));
    if (column === null || profile.columns[column]?.type !== 'hierarchy')
      return wrong('has a rate of a column that has no texts');
    const texts = textsIn(member(formula, 'values'));
    if (texts === null) return wrong(`has a rate without values, or with more than ${maxTexts}`);
    const values = texts.flatMap((text) => find(column, text) ?? []).filter((value) => value.column === column);
    if (values.length === 0) miss();
    return { column, aggregation: null, computed: { kind, values: values.map(({ value }) => value) } };
  }
  if (kind !== 'ratio' && kind !== 'difference') return wrong('has a formula of no known kind');
  const of = quantityIn(profile, member(formula, 'of'));
  const to = quantityIn(profile, member(formula, 'to'));
  if (of === null || to === null)
    return wrong('has a formula of something else than numbers, counts and distinct counts of columns');
  const { column } = of;
  return {
    column,
    aggregation: column === null ? 'count' : null,
    computed: kind === 'difference' ? { kind, of, to } : { kind, of, to, isShare: member(formula, 'percent') === true },
  };
}
