import { expect, it } from 'vitest';
import type { Json } from '../../../json.ts';
import type { Condition, Filter } from '../../filters/filter.ts';
import { letThrough } from './compared-days.ts';

const time = { datasetId: 'd', columnId: 'day', today: Date.parse('2026-11-26'), timeZone: 'Europe/Brussels' };
const filter = (expression: string, value?: Json, more: Partial<Filter> = {}): Filter => ({
  expression,
  datasetId: 'd',
  columnId: 'day',
  level: null,
  value,
  clause: 'where',
  ...more,
});
const iso = (day: number): string => (Number.isFinite(day) ? new Date(day).toISOString().slice(0, 10) : '…');
const days = (condition: Condition): string => {
  const { from, to } = letThrough(condition, time);
  return `${iso(from)} ${iso(to)}`;
};
const months = (quantity: number): Json => ({ unit: 'month', quantity });

it.each<[string, Condition, string]>([
  ['two days', filter('? between ?', ['2026-11-01', '2026-11-15']), '2026-11-01 2026-11-15'],
  ['up to a day', filter('? <= ?', '2026-11-15'), '… 2026-11-15'],
  ['before a day', filter('? < ?', '2026-11-15'), '… 2026-11-14'],
  ['before midnight in the zone', filter('? < ?', '2026-11-14T23:00:00Z'), '… 2026-11-14'],
  ['before noon', filter('? < ?', '2026-11-14T11:00:00Z'), '… 2026-11-14'],
  ['after a day', filter('? > ?', '2026-11-15'), '2026-11-16 …'],
  ['from the month of a day', filter('? >= ?', '2026-11-15', { level: 3 }), '2026-11-01 …'],
  ['a month', filter('? = ?', '2026-02-10', { level: 3 }), '2026-02-01 2026-02-28'],
  ['some months', filter('? in ?', ['2026-04-10', '2026-02-10'], { level: 3 }), '2026-02-01 2026-04-30'],
  ['the last whole month', filter('last_completed', months(1)), '2026-10-01 2026-10-31'],
  ['this month and the one before', filter('to_date', months(2)), '2026-10-01 2026-11-26'],
  ['a month back', filter('last_now', months(1)), '2026-10-27 2026-11-26'],
  ['two months ago', filter('ago', months(2)), '2026-09-01 2026-09-30'],
  ['more than two months ago', filter('more_than_ago', months(2)), '… 2026-09-26'],
  ['the year to date', filter('YTD'), '2026-01-01 2026-11-26'],
  ['another column', filter('? <= ?', '2026-11-15', { columnId: 'other' }), '… …'],
  ['rows of the newest month', filter('last_available', months(1)), '… …'],
  [
    'both of two conditions',
    { join: 'and', of: [filter('? >= ?', '2026-11-02'), filter('? <= ?', '2026-11-15')] },
    '2026-11-02 2026-11-15',
  ],
  [
    'one of two conditions',
    { join: 'or', of: [filter('? <= ?', '2026-03-15'), filter('ago', months(2))] },
    '… 2026-09-30',
  ],
])('the days that a filter lets through are known without rows: %s', (_, condition, wanted) => {
  expect(days(condition)).toBe(wanted);
});
