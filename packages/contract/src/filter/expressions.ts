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

/** Expressions that take no value. */
export const nullTests: readonly string[] = ['? is null', '? is not null'];

const plainTests = [...comparisons.map((sign) => `? ${sign} ?`), ...nullTests];

/** All filter expressions. A misspelt expression is refused, so that it never lets all rows pass. */
export const filterExpressions: readonly string[] = [
  ...plainTests,
  ...relativeDates.flatMap((word) => [word, `? ${word}`, `? ${word} ?`]),
];

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
  const expectation = `must be one of: ${plainTests.join(', ')}, or a relative date such as "last_now"`;
  return value === undefined ? `is required and ${expectation}` : expectation;
}
