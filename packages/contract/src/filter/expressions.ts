import type { Json } from '../json.ts';
import { suggestion } from '../wording/faults.ts';

const comparisons = [
  '=',
  '!=',
  'in',
  'not in',
  'like',
  'not like',
  'starts with',
  'not starts with',
  'ends with',
  'not ends with',
  '<',
  '<=',
  '>',
  '>=',
  'between',
];
const relativeDates = [
  'last_now',
  'to_date',
  'last_available',
  'last_completed',
  'next_now',
  'next_full',
  'ago',
  'more_than_ago',
  'WTD',
  'MTD',
  'QTD',
  'YTD',
];

/** Expressions without a value. */
export const nullTests: readonly string[] = ['? is null', '? is not null'];

const plainTests = [...comparisons.map((sign) => `? ${sign} ?`), ...nullTests];

/** All filter expressions. A misspelt expression must never let rows through. */
export const filterExpressions: readonly string[] = [
  ...plainTests,
  ...relativeDates.flatMap((word) => [word, `? ${word}`, `? ${word} ?`]),
];

/** Operators of other languages, and the expressions for them. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['<>', '? != ?'],
  ['==', '? = ?'],
  ['===', '? = ?'],
  ['equals', '? = ?'],
  ['contains', '? like ?'],
]);

/** Returns the fault of an unknown filter expression. */
export function expressionFault(value: Json | undefined): string {
  const word = typeof value === 'string' ? value.slice(0, 60).replaceAll(/[\s?]/gu, '').toLowerCase() : '';
  const suggestedText = suggestion(elsewhere.get(word) ?? value, filterExpressions);
  if (suggestedText !== '') return `is not a filter expression${suggestedText}`;
  const expectation = `must be one of: ${plainTests.join(', ')}, or a relative date such as "last_now"`;
  return value === undefined ? `is required and ${expectation}` : expectation;
}
