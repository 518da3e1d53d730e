import { zoneOf, type Json, type JsonObject } from '@inlay/contract';
import { expect, it, test } from 'vitest';
import type { FilterNode } from '../edit/changes/filters.ts';
import { draftOf, filterOf, newDraft, type FilterDraft } from './filter-draft.ts';
import { filterWordsFor } from './filter-words.ts';
import { levelOfUnit, relativeDays } from './relative-days.ts';
import { valueTextOf } from './value-text.ts';

const zone = (name: string) => {
  const found = zoneOf(name);
  if (found === null) throw new Error(name);
  return found;
};
const nodeOf = (value: JsonObject): FilterNode => ({ part: 'p', path: [], value, join: null, of: [] });

test.each<[type: string, locale: string, text: string, value: Json | undefined, written?: string]>([
  ['numeric', 'en', '1,250.5', 1250.5, '1250.5'],
  ['numeric', 'de', '1.250,5', 1250.5, '1250,5'],
  ['numeric', 'de', '1.5', 1.5, '1,5'],
  ['numeric', 'fr', '1 250,5', 1250.5, '1250,5'],
  ['numeric', 'fr', '−1 250', -1250, '-1250'],
  ['numeric', 'ar', '١٢٫٥', 12.5],
  ['numeric', 'en', '12345678901234567890', '12345678901234567890', '12345678901234567890'],
  ['numeric', 'en', '1,25', undefined],
  ['numeric', 'en', '1e5', undefined],
  ['numeric', 'en', '--1', undefined],
  ['datetime', 'en-US', '3/1/2024', '2024-03-01', '03/01/2024'],
  ['datetime', 'nl', '1-3-2024', '2024-03-01', '01-03-2024'],
  ['datetime', 'ar', '٢٠٢٤-٠٣-٠١', '2024-03-01'],
  ['datetime', 'nl', '1-3-2024 13:30', '2024-03-01T12:30:00.000Z', '01-03-2024 13:30'],
  ['datetime', 'nl', '30-2-2024', undefined],
  ['datetime', 'nl', '1-3-2024 25:00', undefined],
  ['hierarchy', 'en', '<b>', '<b>', '<b>'],
])('as %s in %s, "%s" is %j', (type, locale, text, value, written) => {
  const own = valueTextOf(type, locale, zone('Europe/Brussels'));
  expect(own.read(text)).toEqual(value);
  if (written !== undefined && value !== undefined) expect(own.write(value)).toBe(written);
});

it('gives a stored filter back as it was, whatever it is', () => {
  const column = { dataset_id: 'd', column_id: 'c' };
  const stored: readonly (readonly [string, string, Json | undefined, JsonObject?])[] = [
    ['hierarchy', '? = ?', 'Europe'],
    ['hierarchy', '? in ?', ['Europe', null]],
    ['hierarchy', '? like ?', ' %a% '],
    ['hierarchy', '? between ?', ['A', 'M']],
    ['hierarchy', '? is null', undefined],
    ['numeric', '? > ?', 12.5],
    ['numeric', '? in ?', [1, '12345678901234567890']],
    ['numeric', '? <= ?', 7, { properties: { type: 'having' } }],
    ['datetime', '? between ?', ['2024-03-01', '2024-03-31T12:30:15.123Z']],
    ['datetime', '? = ?', '2024-03-01', { id: 'f', properties: { label: 'Day', origin: 'x' } }],
    ['datetime', '? last_completed ?', { unit: 'month', quantity: 3 }],
    ['datetime', '? YTD', undefined],
    ['hierarchy', '? in ?', { parameter: 'metadata.region', type: 'array[hierarchy]', value: ['Asia'] }],
  ];
  for (const [type, expression, value, more = {}] of stored) {
    const text = valueTextOf(type, 'de', zone('Europe/Brussels'));
    const filter = { expression, parameters: [column, ...(value === undefined ? [] : [value])], ...more };
    expect(
      filterOf(
        draftOf(nodeOf(filter), () => text),
        type,
        text,
      ).filter,
      expression,
    ).toEqual(filter);
  }
});

it('says what is wrong with a value, and makes no filter of it', () => {
  const faultOf = (type: string, more: Partial<FilterDraft>): unknown =>
    filterOf({ ...newDraft(), datasetId: 'd', columnId: 'c', ...more }, type, valueTextOf(type, 'en', zone('UTC')))
      .fault;
  expect(faultOf('hierarchy', { columnId: '' })).toBe('needValue');
  expect(faultOf('hierarchy', {})).toBe('needValue');
  expect(faultOf('numeric', { operator: '>', typed: ['much', ''] })).toBe('noNumber');
  expect(faultOf('datetime', { operator: 'between', typed: ['1/1/2024', ''] })).toBe('needValue');
  expect(faultOf('datetime', { operator: 'between', typed: ['1/1/2024', '31/31/2024'] })).toBe('noDay');
  expect(faultOf('datetime', { operator: 'last_now', quantity: '1.5' })).toBe('noNumber');
});

test.each<[operator: string, unit: string, quantity: number, zone: string, text: string]>([
  ['last_now', 'day', 30, 'UTC', 'Today: Feb 13 – Mar 14, 2024'],
  ['? last_completed ?', 'month', 2, 'UTC', 'Today: Jan 1 – Feb 29, 2024'],
  ['? ago ?', 'day', 0, 'Pacific/Kiritimati', 'Today: Mar 15, 2024'],
  ['? QTD', 'day', 1, 'UTC', 'Today: Jan 1 – Mar 14, 2024'],
  ['? more_than_ago ?', 'year', 1, 'UTC', 'Today: until Mar 14, 2023'],
  ['? last_available ?', 'year', 1, 'UTC', 'Depends on the newest data.'],
  ['? next_now ?', 'hour', 2, 'UTC', 'Today: Mar 14, 2024, 11:00 AM – 1:00 PM'],
])('on 14 March 2024, %s %s %d in %s is "%s"', (operator, unit, quantity, zoneName, text) => {
  const now = {
    nowMs: Date.parse('2024-03-14T11:00:00Z'),
    zone: zone(zoneName),
    locale: 'en',
    words: filterWordsFor('en'),
  };
  const said = relativeDays(operator, { unit: levelOfUnit(unit), quantity }, now);
  expect(said.replaceAll(/[\u2009\u202f]/gu, ' ')).toBe(text);
});
