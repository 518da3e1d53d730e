import type { Json } from '../json.ts';
import { suggestion } from '../wording/faults.ts';
import { expressionOf, expressionsOf, operatorNames, operatorRule } from './operators.ts';

const plainOperators = operatorNames.filter((operator) => !operatorRule(operator).isRelative);

/** Expressions that take no value. */
export const nullTests: readonly string[] = ['? is null', '? is not null'];

/** All filter expressions. A misspelt expression is refused, so that it never lets all rows pass. */
export const filterExpressions: readonly string[] = operatorNames.flatMap(expressionsOf);

/** By operator of another language: the filter expression that means the same. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['<>', '? != ?'],
  ['==', '? = ?'],
  ['===', '? = ?'],
  ['equals', '? = ?'],
  ['contains', '? like ?'],
]);

/** Returns the fault of a value that is no known filter expression. */
export function expressionFault(value: Json | undefined): string {
  const word = typeof value === 'string' ? value.slice(0, 60).replaceAll(/[\s?]/gu, '').toLowerCase() : '';
  const suggestedText = suggestion(elsewhere.get(word) ?? value, filterExpressions);
  if (suggestedText !== '') return `is not a filter expression${suggestedText}`;
  const expectation = `must be one of: ${plainOperators.map(expressionOf).join(', ')}, or a relative date such as "last_now"`;
  return value === undefined ? `is required and ${expectation}` : expectation;
}
