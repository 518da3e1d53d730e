import type { ComparedPeriods, ComparisonKind, WholePeriod } from '../../../item/compared-periods.ts';
import { moveMonths, periodAt } from '../../../calendar/period.ts';

const dayMs = 86_400_000;
const [week, yearOfWeeks] = [4, 364 * dayMs];
const monthOf = (day: number): number => {
  const at = new Date(day);
  return at.getUTCFullYear() * 12 + at.getUTCMonth();
};
const isFirst = (day: number): boolean => new Date(day).getUTCDate() === 1;

/**
 * What a period is compared with: whole months with as many whole months, other periods with as many days. A period in which
 * today is counts up to today, and so does the other. Days are midnights in UTC.
 */
export function comparedPeriods(
  chosen: WholePeriod,
  kind: Exclude<ComparisonKind, 'none'>,
  today: number,
): ComparedPeriods {
  const { from, to } = chosen;
  const next = to + dayMs;
  const isWhole = isFirst(from) && isFirst(next);
  const isOpen = today >= from && today < to;
  const level = null;
  if (kind === 'year') {
    const last = isOpen ? moveMonths(today, -12) : isWhole ? moveMonths(next, -12) - dayMs : moveMonths(to, -12);
    return { chosen, compared: { from: moveMonths(from, -12), to: last }, isOpen, level };
  }
  const start = isWhole ? moveMonths(from, monthOf(from) - monthOf(next)) : from - (next - from);
  const last = isOpen ? Math.min(from - dayMs, start + (today - from)) : from - dayMs;
  return { chosen, compared: { from: start, to: last }, isOpen, level };
}

/**
 * The period of a level around a day up to that day, and the one that it is compared with up to the same day: a year before weeks
 * are 52 of them, so that weekdays fall together. Null for levels that are no part of a calendar.
 */
export function periodsTo(day: number, level: number, kind: ComparisonKind): ComparedPeriods | null {
  const period = periodAt(day, level);
  if (period === null) return null;
  const { start: from, end } = period;
  const chosen = { from, to: day };
  const own = { chosen, isOpen: true, level };
  if (kind === 'none') return { ...own, compared: chosen };
  if (kind === 'year' && level === week)
    return { ...own, compared: { from: from - yearOfWeeks, to: day - yearOfWeeks } };
  return { ...own, compared: comparedPeriods({ from, to: end - dayMs }, kind, day).compared };
}
