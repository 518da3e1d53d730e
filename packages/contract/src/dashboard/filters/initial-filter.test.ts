import { readItem, type Item } from '../../item/item.ts';
import type { JsonObject } from '../../json.ts';
import { describe, expect, it } from 'vitest';
import type { Filter } from './filter.ts';
import { initialFilterOf } from './initial-filter.ts';

const itemOf = (type: string, slot: string, columnId: string, more: JsonObject = {}): Item => {
  const content = [{ datasetId: 'd', columnId, ...more }];
  const item = readItem({ id: 'i', type, title: null, options: {}, slots: [{ name: slot, content }] });
  if (item === null) throw new Error('no item');
  return item;
};
const region = itemOf('dropdown-filter', 'dimension', 'region', { type: 'hierarchy' });
const weekday = itemOf('slicer-filter', 'dimension', 'day', { type: 'datetime', datetimeDisplayMode: 'weekday_name' });
const period = itemOf('date-filter', 'time', 'day', { type: 'datetime' });
const name = itemOf('search-filter', 'dimension', 'region', { type: 'hierarchy' });
const amount = itemOf('slider-filter', 'slidermetric', 'amount', { type: 'numeric' });
const filter = (
  columnId: string,
  expression: string,
  value?: Filter['value'],
  level: number | null = null,
): Filter => ({
  datasetId: 'd',
  columnId,
  expression,
  value,
  level,
  clause: 'where',
});

describe('what a filter item starts with', () => {
  it('is a choice of members', () => {
    expect(initialFilterOf(region, [filter('region', '? in ?', ['Asia', 'Africa'])], 'UTC')).toMatchObject({
      chosen: { keys: ['"Asia"', '"Africa"'], unshown: false },
      conditions: [{ expression: '? in ?', value: ['Asia', 'Africa'] }],
    });
    expect(initialFilterOf(region, [filter('region', '? = ?', 'Asia')], 'UTC')).toMatchObject({
      chosen: { keys: ['"Asia"'] },
    });
    expect(initialFilterOf(region, [filter('region', '? is null')], 'UTC')).toMatchObject({
      chosen: { keys: ['null'] },
    });
  });

  it('is held and not shown where the filter offers parts of times', () => {
    const day = filter('day', '? = ?', '2025-02-01');
    expect(initialFilterOf(weekday, [day], 'UTC')).toMatchObject({
      chosen: { keys: [], unshown: true },
      conditions: [day],
    });
  });

  it('is a range, of which several starting values set an end each', () => {
    expect(
      initialFilterOf(amount, [filter('amount', '? >= ?', 5), filter('amount', '? <= ?', '20')], 'UTC'),
    ).toMatchObject({
      chosen: { from: 5, to: 20, unshown: false },
      conditions: [{ expression: '? between ?', value: [5, 20] }],
    });
    expect(initialFilterOf(period, [filter('day', '? between ?', ['2025-02-01', '2025-03-31'])], 'UTC')).toMatchObject({
      chosen: { from: Date.parse('2025-02-01'), to: Date.parse('2025-03-31') },
      conditions: [{ value: ['2025-02-01', '2025-03-31'] }],
    });
  });

  it.each([
    ['UTC', '2025-02-01T00:00:00Z', '2025-03-31T23:59:59.999Z'],
    ['Europe/Brussels', '2025-01-31T23:00:00Z', '2025-03-31T21:59:59.999Z'],
  ])('is whole days of %s where moments are their first and last ones', (zone, from, to) => {
    expect(initialFilterOf(period, [filter('day', '? between ?', [from, to])], zone)).toMatchObject({
      chosen: { from: Date.parse('2025-02-01'), to: Date.parse('2025-03-31'), unshown: false },
      conditions: [{ value: ['2025-02-01', '2025-03-31'] }],
    });
  });

  it('is a text that members contain, small or capital', () => {
    expect(initialFilterOf(name, [filter('region', '? like ?', 'asia')], 'UTC')).toMatchObject({
      chosen: { text: 'asia', unshown: false },
      conditions: [{ join: 'or', of: [{ value: 'asia' }, { value: 'ASIA' }, { value: 'Asia' }] }],
    });
    expect(initialFilterOf(name, [filter('region', '? like ?', '%5%%')], 'UTC')).toMatchObject({
      chosen: { text: '5%' },
      conditions: [{ expression: '? like ?', value: '%5%%' }],
    });
  });

  it.each([
    ['a test that is no choice', region, filter('region', '? != ?', 'Asia')],
    ['another level', region, filter('region', '? = ?', 'Asia', 2)],
    ['a relative date', period, filter('day', 'last_now', { unit: 'month', quantity: 3 })],
    ['a moment within a day', period, filter('day', '? >= ?', '2025-02-01T10:00:00Z')],
    ['a month', period, filter('day', '? = ?', '2025-03')],
    ['an open end', amount, filter('amount', '? > ?', 5)],
  ])('holds as it is where the control cannot show it: %s', (_what, item, given) => {
    expect(initialFilterOf(item, [given], 'UTC')).toMatchObject({
      chosen: { keys: [], unshown: true },
      conditions: [given],
    });
  });

  it('is nothing for other columns, other datasets and items that are no filters', () => {
    expect(initialFilterOf(region, [filter('product', '? = ?', 'Bread')], 'UTC')).toBeNull();
    expect(initialFilterOf(region, [{ ...filter('region', '? = ?', 'Asia'), datasetId: 'other' }], 'UTC')).toBeNull();
    const chart = itemOf('column-chart', 'x-axis', 'region', { type: 'hierarchy' });
    expect(initialFilterOf(chart, [filter('region', '? = ?', 'Asia')], 'UTC')).toBeNull();
  });
});
