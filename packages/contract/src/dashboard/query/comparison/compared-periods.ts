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
 * Returns the period with which a selected period is compared. It has as many months if the selected period consists of
 * whole months, otherwise as many days. If the selected period contains today, the compared period ends after as many
 * days as have passed. Days are midnights UTC.
 */
export function comparedPeriods(
  chosenPeriod: WholePeriod,
  kind: Exclude<ComparisonKind, 'none'>,
  today: number,
): ComparedPeriods {
  const { from, to } = chosenPeriod;
  const dayAfter = to + dayMs;
  const isWhole = isFirst(from) && isFirst(dayAfter);
  const isOpen = today >= from && today < to;
  const level = null;
  if (kind === 'year') {
    const yearBeforeEnd = isOpen
      ? moveMonths(today, -12)
      : isWhole
        ? moveMonths(dayAfter, -12) - dayMs
        : moveMonths(to, -12);
    return { chosen: chosenPeriod, compared: { from: moveMonths(from, -12), to: yearBeforeEnd }, isOpen, level };
  }
  const start = isWhole ? moveMonths(from, monthOf(from) - monthOf(dayAfter)) : from - (dayAfter - from);
  const comparedEnd = isOpen ? Math.min(from - dayMs, start + (today - from)) : from - dayMs;
  return { chosen: chosenPeriod, compared: { from: start, to: comparedEnd }, isOpen, level };
}

/**
 * Returns the period of a level up to a day, and the compared period up to the same day. If `kind` is `year`, a week is
 * compared with the week 52 weeks earlier, so that weekdays match. Null if the level is finer than a day.
 */
export function periodsTo(day: number, level: number, kind: ComparisonKind): ComparedPeriods | null {
  const period = periodAt(day, level);
  if (period === null) return null;
  const { start: from, end } = period;
  const chosenPeriod = { from, to: day };
  const commonMembers = { chosen: chosenPeriod, isOpen: true, level };
  if (kind === 'none') return { ...commonMembers, compared: chosenPeriod };
  if (kind === 'year' && level === week)
    return { ...commonMembers, compared: { from: from - yearOfWeeks, to: day - yearOfWeeks } };
  return { ...commonMembers, compared: comparedPeriods({ from, to: end - dayMs }, kind, day).compared };
}
