import { operatorOf, relativeSpan, toDateUnits, type FilterOperator, type Level, type Zone } from '@inlay/contract';
import { dayRangeText } from '@inlay/embed/day-text';
import { filled } from '@inlay/contract/change';
import type { FilterWords } from './filter-words.ts';
import { dayAt } from './value-text.ts';

/** Units of relative dates by their level, from 1. */
export const relativeUnits = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const;

/** Returns the level of a unit, which is a name or a level already; days if it is neither. */
export function levelOfUnit(unit: unknown): Level {
  const index = relativeUnits.findIndex((name, at) => name === unit || at + 1 === unit);
  return ([1, 2, 3, 4, 5, 6, 7, 8] as const)[index] ?? 5;
}

const isToDate = (operator: FilterOperator): operator is keyof typeof toDateUnits =>
  Object.hasOwn(toDateUnits, operator);

/**
 * Returns the days or times that a relative date means now, as a sentence; that it depends on the data, where it does.
 */
export function relativeDays(
  expression: string,
  { unit, quantity }: { readonly unit: Level; readonly quantity: number },
  { nowMs, zone, locale, words }: { nowMs: number; zone: Zone; locale: string; words: FilterWords },
): string {
  const operator = operatorOf(expression);
  if (operator === null) return '';
  if (operator === 'last_available') return words.byData;
  const level = isToDate(operator) ? levelOfUnit(toDateUnits[operator]) : unit;
  const clock = { nowMs, zone, weekstart: 1 };
  const { from, until } = relativeSpan(isToDate(operator) ? 'to_date' : operator, level, quantity, clock);
  const last = until === null ? null : until - 1;
  const openTexts = {
    since: (day: string) => filled(words.since, { day }),
    until: (day: string) => filled(words.until, { day }),
  };
  const inDays = { from: from === null ? null : dayAt(from, zone), to: last === null ? null : dayAt(last, zone) };
  if (level <= 5 || from === null || last === null)
    return filled(words.today, { dates: dayRangeText(inDays, locale, openTexts) });
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone.name });
  return filled(words.today, { dates: format.formatRange(from, last) });
}
