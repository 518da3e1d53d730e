import { moveMonths, periodAt } from '@inlay/contract';
import { timeUnits, type TimeSpan } from './clauses.ts';

/** Weeks begin on Monday. */
export const firstWeekday = 1;

const dayMs = 86_400_000;

/** Returns midnight UTC of a day such as `2024-03-01`. */
export const millisecondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Returns a day from its midnight UTC. */
export const dayText = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

export const moveDays = (day: string, by: number): string => dayText(millisecondsOf(day) + by * dayMs);

/** Returns a day from its numbers, or null if there is no such day. */
export function dayFrom(year: number, month: number, day: number): string | null {
  const at = new Date(Date.UTC(year, month - 1, day));
  const exists = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && year >= 1000 && year <= 9999;
  return exists ? dayText(at.getTime()) : null;
}

/** The first and the last day of a span. */
export interface Days {
  readonly first: string;
  readonly last: string;
}

/** Returns the period of a datetime level that contains a day, shifted by whole periods. */
export function periodDays(day: string, level: number, by: number, weekStart: number): Days {
  const shift = level === 4 ? weekStart - 1 : 0;
  const period = periodAt(millisecondsOf(day) - shift * dayMs, Math.min(level, 5), by);
  if (period === null) return { first: day, last: day };
  return { first: moveDays(dayText(period.start), shift), last: moveDays(dayText(period.end), shift - 1) };
}

/** Returns the same day of another year; 29 February becomes 28 February in years without it. */
export const moveYears = (day: string, by: number): string => dayText(moveMonths(millisecondsOf(day), by * 12));

/**
 * Returns the start of a numbered week: week 1 contains 4 January, whatever day weeks start with. Null if the year has
 * no such week.
 */
export function weekFrom(year: number, week: number, weekStart: number): string | null {
  const { first, last } = periodDays(`${year}-01-04`, 4, week - 1, weekStart);
  const isOfYear = week >= 1 && moveDays(last, -3).startsWith(`${year}-`);
  return isOfYear ? first : null;
}

/** Returns the number of the week that starts on a day, and the year in which it counts. */
export function weekAt(start: string): { readonly year: number; readonly week: number } {
  const middle = moveDays(start, 3);
  const year = Number(middle.slice(0, 4));
  const days = (millisecondsOf(middle) - millisecondsOf(`${year}-01-01`)) / dayMs;
  return { year, week: Math.floor(days / 7) + 1 };
}

/**
 * Returns the days of a span. Null if it has no first and last day: if it is open, depends on the rows, or selects
 * parts of dates.
 */
export function daysOf(span: TimeSpan, today: string, weekStart: number): Days | null {
  if (span.kind === 'parts') return null;
  if (span.kind === 'between')
    return span.from === null || span.to === null ? null : { first: span.from, last: span.to };
  if (span.kind === 'period') return periodDays(span.start, span.level, 0, weekStart);
  const level = timeUnits.indexOf(span.unit) + 1;
  const unit = (by: number): Days => periodDays(today, level, by, weekStart);
  const { quantity } = span;
  switch (span.expression) {
    case 'ago':
      return unit(-quantity);
    case 'to_date':
      return { first: unit(1 - quantity).first, last: today };
    case 'last_completed':
      return { first: unit(-quantity).first, last: unit(-1).last };
    case 'next_full':
      return { first: unit(1).first, last: unit(quantity).last };
    default:
      return null;
  }
}
