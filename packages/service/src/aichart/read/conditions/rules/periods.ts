import { dayFrom, moveYears, weekAt, weekFrom } from '../calendar.ts';
import type { PeriodSpan, TimeSpan } from '../clauses.ts';
import type { SpanReading } from '../lexemes.ts';
import type { ReadingContext, ReadingRule } from './rule.ts';

const stated = (span: TimeSpan | null, weak = false): SpanReading | null =>
  span === null ? null : { span, assumed: null, weak, inYear: null };

/** Takes the newest period that has begun, of those that the words may mean. */
function latest(
  inYear: (year: number) => TimeSpan | null,
  { today }: ReadingContext,
  weak = false,
): SpanReading | null {
  const thisYear = Number(today.slice(0, 4));
  // 29 February may be eight years ago.
  for (let year = thisYear; year >= thisYear - 8; year -= 1) {
    const span = inYear(year);
    const start = span === null || span.kind === 'parts' || span.kind === 'relative' ? null : startOf(span);
    if (span !== null && start !== null && start <= today) return { span, assumed: 'latest', weak, inYear };
  }
  return null;
}

const startOf = (span: Exclude<TimeSpan, { kind: 'relative' | 'parts' }>): string | null =>
  span.kind === 'period' ? span.start : span.from;

const period = (level: PeriodSpan['level'], start: string | null): PeriodSpan | null =>
  start === null ? null : { kind: 'period', level, start };
const yearSpan = (year: number): TimeSpan | null => period(1, dayFrom(year, 1, 1));
const quarterSpan = (quarter: number, year: number): TimeSpan | null => period(2, dayFrom(year, quarter * 3 - 2, 1));
const monthSpan = (month: number, year: number): TimeSpan | null => period(3, dayFrom(year, month, 1));
const daySpan = (day: number, month: number, year: number): TimeSpan | null => period(5, dayFrom(year, month, day));
const halfSpan = (half: number, year: number): TimeSpan => ({
  kind: 'between',
  from: `${year}-${half === 1 ? '01-01' : '07-01'}`,
  to: `${year}-${half === 1 ? '06-30' : '12-31'}`,
});

/** Two numbers before a year; the larger one is the day where only one order is possible. */
function numericDay(one: number, other: number, year: number, { monthFirst }: ReadingContext): SpanReading | null {
  const isMonthFirst = monthFirst ? one <= 12 : other > 12;
  return stated(isMonthFirst ? daySpan(other, one, year) : daySpan(one, other, year));
}

const monthTags = ['month', 'doubtfulMonth'] as const;

/** Days, weeks, months, quarters, halves and years of the calendar. */
export const periodRules: readonly ReadingRule[] = [
  { pattern: ['year'], read: ([year = 0]) => stated(yearSpan(year), true) },
  { pattern: ['unit', 'year'], read: ([unit, year = 0]) => (unit === 1 ? stated(yearSpan(year)) : null) },
  ...monthTags.flatMap((month): readonly ReadingRule[] => [
    {
      pattern: [month],
      read: ([at = 0], context) => latest((year) => monthSpan(at, year), context, month === 'doubtfulMonth'),
    },
    { pattern: [month, 'dot?', 'in?', 'year'], read: ([at = 0, year = 0]) => stated(monthSpan(at, year)) },
    { pattern: [month, 'slash', 'year'], read: ([at = 0, year = 0]) => stated(monthSpan(at, year)) },
    { pattern: [month, 'comma', 'year'], read: ([at = 0, year = 0]) => stated(monthSpan(at, year)) },
    {
      pattern: ['day', 'of?', month],
      read: ([day = 0, at = 0], context) => latest((year) => daySpan(day, at, year), context),
    },
    {
      pattern: ['day', 'of?', month, 'comma?', 'of?', 'year'],
      read: ([day = 0, at = 0, year = 0]) => stated(daySpan(day, at, year)),
    },
    {
      pattern: [month, 'day', 'comma?', 'year'],
      read: ([at = 0, day = 0, year = 0]) => stated(daySpan(day, at, year)),
    },
    {
      pattern: [month, 'day'],
      read: ([at = 0, day = 0], context) =>
        context.monthFirst ? latest((year) => daySpan(day, at, year), context) : null,
    },
  ]),
  { pattern: ['year', 'month'], read: ([year = 0, at = 0]) => stated(monthSpan(at, year)) },
  { pattern: ['quarter'], read: ([at = 0], context) => latest((year) => quarterSpan(at, year), context) },
  { pattern: ['quarter', 'slash?', 'in?', 'year'], read: ([at = 0, year = 0]) => stated(quarterSpan(at, year)) },
  { pattern: ['year', 'quarter'], read: ([year = 0, at = 0]) => stated(quarterSpan(at, year)) },
  { pattern: ['halfYear'], read: ([half = 0], context) => latest((year) => halfSpan(half, year), context) },
  { pattern: ['halfYear', 'slash?', 'in?', 'year'], read: ([half = 0, year = 0]) => stated(halfSpan(half, year)) },
  { pattern: ['year', 'halfYear'], read: ([year = 0, half = 0]) => stated(halfSpan(half, year)) },
  {
    pattern: ['week'],
    read: ([week = 0], context) => latest((year) => period(4, weekFrom(year, week, context.weekStart)), context),
  },
  {
    pattern: ['week', 'comma?', 'slash?', 'in?', 'year'],
    read: ([week = 0, year = 0], { weekStart }) => stated(period(4, weekFrom(year, week, weekStart))),
  },
  {
    pattern: ['year', 'twoDigits', 'twoDigits'],
    read: ([year = 0, at = 0, day = 0]) => stated(daySpan(day, at, year)),
  },
  {
    pattern: ['year', 'slash', 'twoDigits', 'slash', 'twoDigits'],
    read: ([year = 0, at = 0, day = 0]) => stated(daySpan(day, at, year)),
  },
  { pattern: ['year', 'twoDigits'], read: ([year = 0, at = 0]) => stated(monthSpan(at, year)) },
  { pattern: ['twoDigits', 'slash', 'year'], read: ([at = 0, year = 0]) => stated(monthSpan(at, year)) },
  {
    pattern: ['number', 'slash', 'number', 'slash', 'year'],
    read: ([one = 0, other = 0, year = 0], context) => numericDay(one, other, year, context),
  },
  {
    pattern: ['number', 'number', 'year'],
    read: ([one = 0, other = 0, year = 0], context) => numericDay(one, other, year, context),
  },
  {
    pattern: ['numericDay'],
    read: ([day = 0], context) =>
      numericDay(Math.floor(day % 100), Math.floor(day / 100) % 100, Math.floor(day / 10_000), context),
  },
];

/** Returns a span a number of years later. Weeks keep their number. Null if that year has no such week. */
export function spanYearsLater(span: TimeSpan, years: number, weekStart: number): TimeSpan | null {
  if (span.kind === 'between')
    return {
      kind: 'between',
      from: span.from === null ? null : moveYears(span.from, years),
      to: span.to === null ? null : moveYears(span.to, years),
    };
  if (span.kind !== 'period') return null;
  if (span.level !== 4) return { ...span, start: moveYears(span.start, years) };
  const { year, week } = weekAt(span.start);
  return period(4, weekFrom(year + years, week, weekStart));
}
