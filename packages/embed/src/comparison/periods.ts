import type { ComparedPeriods, ComparisonKind, WholePeriod } from '@inlay/contract';
import { moveMonths } from '../locale/days/day-text.ts';

const dayMs = 86_400_000;
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
  if (kind === 'year') {
    const last = isOpen ? moveMonths(today, -12) : isWhole ? moveMonths(next, -12) - dayMs : moveMonths(to, -12);
    return { chosen, compared: { from: moveMonths(from, -12), to: last }, isOpen };
  }
  const start = isWhole ? moveMonths(from, monthOf(from) - monthOf(next)) : from - (next - from);
  const last = isOpen ? Math.min(from - dayMs, start + (today - from)) : from - dayMs;
  return { chosen, compared: { from: start, to: last }, isOpen };
}
