import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@inlay/contract';
import { contentsOf, inSlot, item, sales, slot, type SalesDataset } from '../browser/sales.ts';
import { useApi, type Somebody } from '../support/api.ts';
import { dataOf, pushSales } from '../support/sales-world.ts';
import { storesToTest } from '../support/service.ts';

describe.each(storesToTest)('items by a part of a time, for readers of a dashboard on %s', (store) => {
  const api = useApi(store);
  let dataset: SalesDataset;
  let reader: Somebody;

  const ask = (find: object): Promise<JsonObject> => api.ok('data', { action: 'get', find }, reader.login);
  const refused = (find: object) => api.refused('data', { action: 'get', find }, reader.login);
  const column = (name: keyof SalesDataset['columns'], more: object = {}): JsonObject => ({
    dataset_id: dataset.id,
    column_id: dataset.columns[name],
    ...more,
  });
  const sum = { aggregation: { type: 'sum' } };

  beforeAll(async () => {
    dataset = await pushSales(api);
    reader = await api.person({ flagMember: true });
    await api.associate('securable', dataset.id, 'Users', reader.id, { flagRead: true });
  });

  it('group by the part of a time that an item shows, and by no other', async () => {
    const day = inSlot(dataset, 'day', { level: 5, datetimeDisplayMode: 'weekday_name' });
    const slots = [slot('x-axis', day), slot('measure', inSlot(dataset, 'revenue'))];
    const contents = contentsOf(dataset, [item('Weekdays', 'column-chart', slots, [0, 0, 24, 16])]);
    const { id } = await api.create('dashboard', { contents });
    await api.associate('securable', id, 'Users', reader.id, { flagRead: true });
    const shown = { dashboard_id: id, item_id: 'Weekdays' };
    const weekdays = (dimension: object, more: object = {}): JsonObject => ({
      ...shown,
      dimensions: [column('day', dimension)],
      measures: [column('revenue', sum)],
      ...more,
    });
    const wanted = [1, 2, 3, 4, 5, 6, 7].map((number) => [
      number,
      sales
        .filter((sale) => new Date(sale.day).getUTCDay() === number % 7)
        .reduce((total, { revenue }) => total + revenue, 0),
    ]);
    expect(dataOf(await ask(shown))).toEqual(wanted);
    expect(dataOf(await ask(weekdays({ part: 'weekday_number' })))).toEqual(wanted);
    const order = [column('day', { part: 'weekday_name', order: 'desc' })];
    const reversed = await ask(weekdays({ part: 'weekday_name', level: 1 }, { order }));
    expect(dataOf(reversed)).toEqual(wanted.toReversed());
    for (const dimension of [{ part: 'hour_in_day' }, { level: 5 }, { level: 6 }, {}])
      expect(await refused(weekdays(dimension))).toMatchObject({
        status: 403,
        validation: { 'find.dimensions[0]': [expect.stringContaining('not what the item groups by')] },
      });
    const other = [column('day', { part: 'month_name' })];
    expect(await refused(weekdays({ part: 'weekday_name' }, { order: other }))).toMatchObject({
      validation: { 'find.order[0]': [expect.stringContaining('does not show')] },
    });
  });
});
