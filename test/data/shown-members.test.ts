import type { JsonObject } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { contentsOf, inSlot, item, sales, slot, sumBy } from '../browser/sales.ts';
import { useApi } from '../support/api.ts';
import { dataOf, pushSales } from '../support/sales-world.ts';
import { storesToTest } from '../support/service.ts';
import { part } from '../support/world.ts';

describe.each(storesToTest)('the rows that readers are answered on %s', (store) => {
  const api = useApi(store);

  it('are the members alone that an item shows, whole, where a legend splits them', async () => {
    const dataset = await pushSales(api);
    const on = (name: 'region' | 'product' | 'revenue'): JsonObject => inSlot(dataset, name);
    const slots = [slot('measure', on('revenue')), slot('y-axis', on('product')), slot('legend', on('region'))];
    const options = { sort: { by: 'measure', order: 'desc' }, limit: 2 };
    const split = item('Split', 'bar-chart', slots, [0, 0, 24, 16], { options });
    const { id } = await api.create('dashboard', { contents: contentsOf(dataset, [split]) });
    const reader = await api.person({ flagMember: true });
    for (const one of [id, dataset.id]) await api.associate('securable', one, 'Users', reader.id, { flagRead: true });
    const ask = (find: object): Promise<JsonObject> => api.ok('data', { action: 'get', find }, reader.login);
    const query = { dashboard_id: id, item_id: 'Split' };
    const wanted = sumBy(sales, ({ product }) => product)
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, 2)
      .map(([product]) => product);
    const membersOf = (answer: JsonObject): readonly unknown[] => {
      const found = dataOf(answer).map((row) => part(Array.isArray(row) ? row[0] : null, 'id') ?? null);
      expect(part(answer['performance'], 'rows')).toBe(found.length);
      return [...new Set(found)];
    };
    const answer = await ask(query);
    expect(membersOf(answer)).toEqual(wanted);
    expect(dataOf(answer)).toHaveLength(new Set(sales.map(({ region }) => region)).size * 2);
    const { body } = await api.call('data', { action: 'get', find: { queries: [query, query] } }, reader.login, {
      accept: 'application/x-ndjson',
    });
    const lines = (typeof body === 'string' ? body : '').trim().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(membersOf(JSON.parse(line))).toEqual(wanted);
    for (const [offset, by] of [
      [0, 1],
      [3, 2],
      [1, 9000],
    ] as const) {
      const page = await ask({ ...query, limit: { by, offset } });
      expect(dataOf(page)).toEqual(dataOf(answer).slice(offset, offset + by));
    }
    const exported = await api.refused(
      'export',
      { action: 'create', properties: { type: 'csv', query } },
      reader.login,
    );
    expect(exported).toMatchObject({ status: 400, code: 'query_invalid' });
  });
});
