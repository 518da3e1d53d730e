import type { NumberRule } from './rule.ts';

const upTo =
  (most: number) =>
  ([value = 0]: readonly number[]): number | null =>
    Number.isInteger(value) && value >= 1 && value <= most ? value : null;

/** The number before or after a unit, if it is that unit: "third quarter", "Quartal 3". */
const ofUnit =
  (unit: number, most: number) =>
  ([one = 0, other = 0]: readonly number[]): number | null =>
    other === unit ? upTo(most)([one]) : null;
const unitFirst =
  (unit: number, most: number) =>
  ([one = 0, other = 0]: readonly number[]): number | null =>
    one === unit ? upTo(most)([other]) : null;

const hourFrom = (value: number | null, added: number): number | null => {
  const hour = value === null ? null : (value % 12) + added;
  return hour !== null && Number.isInteger(hour) && hour >= 0 && hour <= 23 ? hour : null;
};
const hour = ([value = -1]: readonly number[]): number | null =>
  Number.isInteger(value) && value >= 0 && value <= 24 ? value : null;
const ofTwelve =
  (added: number) =>
  ([value = 0]: readonly number[]): number | null =>
    hourFrom(upTo(12)([value]), added);

/** Quarters, halves, weeks, days of a month and hours as numbers. */
export const numberRules: readonly NumberRule[] = [
  { tag: 'quarter', pattern: ['quarterCode'], read: upTo(4) },
  { tag: 'quarter', pattern: ['ordinal', 'unit'], read: ofUnit(2, 4) },
  // Without a dot or suffix, "2 quarters" is a length.
  { tag: 'quarter', pattern: ['number', 'dot', 'unit'], read: ofUnit(2, 4) },
  { tag: 'quarter', pattern: ['number', 'suffix', 'unit'], read: ofUnit(2, 4) },
  { tag: 'quarter', pattern: ['unit', 'number'], read: unitFirst(2, 4) },
  { tag: 'halfYear', pattern: ['halfCode'], read: upTo(2) },
  { tag: 'halfYear', pattern: ['ordinal', 'half'], read: upTo(2) },
  { tag: 'halfYear', pattern: ['number', 'dot', 'half'], read: upTo(2) },
  { tag: 'halfYear', pattern: ['number', 'suffix', 'half'], read: upTo(2) },
  { tag: 'week', pattern: ['calendarWeek', 'number'], read: upTo(53) },
  { tag: 'day', pattern: ['number', 'dot?', 'suffix?'], read: upTo(31) },
  { tag: 'day', pattern: ['ordinal'], read: ([value = 0]) => (value === 1 ? 1 : null) },
  { tag: 'hour', pattern: ['number', 'clock'], read: hour },
  { tag: 'hour', pattern: ['number', 'colon', 'twoDigits', 'clock?'], read: hour },
  { tag: 'hour', pattern: ['number', 'clock?', 'am'], read: ofTwelve(0) },
  { tag: 'hour', pattern: ['number', 'clock?', 'pm'], read: ofTwelve(12) },
];
