import type { TimeSpan } from '../clauses.ts';
import type { SpanReading } from '../lexemes.ts';
import type { ReadingRule } from './rule.ts';

type Part = Extract<TimeSpan, { kind: 'parts' }>['part'];

const parts = (part: Part, values: readonly number[], weak = false): SpanReading => ({
  span: { kind: 'parts', part, values },
  assumed: null,
  weak,
  inYear: null,
});

/** Returns the whole numbers from the first to the last. */
const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);

/** The hours from one to before another; nights go past midnight. */
const hours = (from: number, until: number): readonly number[] =>
  until > from ? range(from, until - 1) : [...range(0, until - 1), ...range(from, 23)];

/** By part of the day: its first hour and the hour after it. */
const dayParts: readonly (readonly [number, number])[] = [
  [6, 12],
  [12, 18],
  [18, 24],
  [0, 6],
];

const isHour = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 24;
const hourSpan: ReadingRule['read'] = ([from = 0, until = 0]) =>
  from === until || !isHour(from) || !isHour(until) ? null : parts('hour', hours(from, until));
const days: ReadingRule['read'] = (values) =>
  parts(
    'weekday',
    values.toSorted((one, other) => one - other),
  );

/** Parts of dates: weekdays, hours of the day, and months and quarters of every year. */
export const partRules: readonly ReadingRule[] = [
  { pattern: ['weekend'], read: () => parts('weekday', [6, 7]) },
  { pattern: ['workdays'], read: () => parts('weekday', range(1, 5), true) },
  { pattern: ['weekday'], read: ([day = 1]) => parts('weekday', [day], true) },
  { pattern: ['every', 'weekday'], read: days },
  { pattern: ['weekdays'], read: days },
  { pattern: ['weekday', 'and', 'weekday'], read: days },
  { pattern: ['weekdays', 'and', 'weekdays'], read: days },
  { pattern: ['weekday', 'to', 'weekday'], read: weekdayRange },
  { pattern: ['every', 'month'], read: ([month = 1]) => parts('month', [month]) },
  { pattern: ['every', 'doubtfulMonth'], read: ([month = 1]) => parts('month', [month]) },
  { pattern: ['month', 'every', 'unit'], read: ([month = 1, unit]) => (unit === 1 ? parts('month', [month]) : null) },
  {
    pattern: ['month', 'in', 'every', 'unit'],
    read: ([month = 1, unit]) => (unit === 1 ? parts('month', [month]) : null),
  },
  { pattern: ['every', 'quarter'], read: ([quarter = 1]) => parts('quarter', [quarter]) },
  {
    pattern: ['quarter', 'every', 'unit'],
    read: ([quarter = 1, unit]) => (unit === 1 ? parts('quarter', [quarter]) : null),
  },
  { pattern: ['dayPart'], read: ([part = 1]) => parts('hour', hours(...(dayParts[part - 1] ?? [0, 24]))) },
  { pattern: ['at', 'hour'], read: ([hour = 0]) => parts('hour', [hour % 24]) },
  { pattern: ['before', 'hour'], read: ([hour = 0]) => (hour < 1 ? null : parts('hour', range(0, hour - 1))) },
  { pattern: ['after', 'hour'], read: ([hour = 0]) => (hour > 23 ? null : parts('hour', range(hour, 23))) },
  { pattern: ['since', 'hour'], read: ([hour = 0]) => (hour > 23 ? null : parts('hour', range(hour, 23))) },
  { pattern: ['until', 'hour'], read: ([hour = 0]) => (hour < 1 ? null : parts('hour', range(0, hour - 1))) },
  { pattern: ['between', 'hour', 'and', 'hour'], read: hourSpan },
  { pattern: ['between', 'number', 'and', 'hour'], read: hourSpan },
  { pattern: ['from', 'hour', 'to', 'hour'], read: hourSpan },
  { pattern: ['from', 'number', 'to', 'hour'], read: hourSpan },
  { pattern: ['hour', 'to', 'hour'], read: hourSpan },
];

/** "monday to thursday", and "saturday to monday" past the end of the week. */
function weekdayRange([first = 1, last = 1]: readonly number[]): SpanReading {
  return parts('weekday', last >= first ? range(first, last) : [...range(1, last), ...range(first, 7)]);
}
