import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@inlay/contract';
import { contentsOf, inSlot, item, sales, slot, type SalesDataset } from '../browser/sales.ts';
import { useApi } from '../support/api.ts';
import { dataOf, pushSales, salesContents } from '../support/sales-world.ts';
import { storesToTest } from '../support/service.ts';
import { part } from '../support/world.ts';

const mean = sales.reduce((sum, { revenue }) => sum + revenue, 0) / sales.length;

describe.each(storesToTest)('a formula that does not say its dataset on %s', (store) => {
  const api = useApi(store);
  let dataset: SalesDataset;
  let other: SalesDataset;
  let stored: string;

  beforeAll(async () => {
    [dataset, other] = [await pushSales(api), await pushSales(api)];
    const expression = `sum({${dataset.columns.revenue}}) / count(*)`;
    stored = (await api.create('formula', { securable_id: dataset.id, name: { en: 'Each' }, expression })).id;
  });

  const number = (id: string, entry: JsonObject, row = 0): JsonObject =>
    item(id, 'evolution-number', [slot('measure', entry)], [0, row, 8, 8]);
  const contents = (): JsonObject =>
    contentsOf(dataset, [
      number('Stored', { formulaId: stored }),
      number('Text', { formula: `sum({${dataset.columns.quantity}}) / count(*)` }, 8),
      item(
        'Beside',
        'bar-chart',
        [slot('y-axis', inSlot(dataset, 'region')), slot('measure', { formula: 'count(*) * 2' })],
        [8, 0, 8, 8],
        { options: { sort: { by: 'measure', order: 'desc' }, limit: 2 } },
      ),
    ]);

  it('takes that of the stored formula, of the columns in the text or of the other slots, wherever the item is asked', async () => {
    const made = await api.create('dashboard', { contents: contents() });
    expect(made).not.toHaveProperty('warnings');
    expect((await api.get('dashboard', made.id))['contents']).toEqual(contents());
    expect(Object.keys(await api.links('securable', made.id, 'Datasets'))).toEqual([dataset.id]);
    const reader = await api.embedToken({
      access: {
        dashboards: [{ id: made.id, rights: 'read' }],
        datasets: [{ id: dataset.id, rights: 'read' }],
      },
    });
    const ask = async (id: string): Promise<unknown> =>
      dataOf(await api.ok('data', { action: 'get', find: { dashboard_id: made.id, item_id: id } }, reader));
    expect(await ask('Stored')).toEqual([[expect.closeTo(mean)]]);
    expect(await ask('Text')).toEqual([[expect.any(Number)]]);
    expect(await ask('Beside')).toEqual([
      [expect.objectContaining({ id: expect.any(String) }), 240],
      [expect.objectContaining({ id: expect.any(String) }), 240],
    ]);
    const { dashboard } = await api.ok('appearance', { action: 'get', find: { dashboard_id: made.id } }, reader);
    expect(
      JSON.stringify(part(dashboard, 'contents')).match(new RegExp(`"datasetId":"${dataset.id}"`, 'gu')),
    ).toHaveLength(4);
    const file = await api.call('export', {
      action: 'create',
      properties: { type: 'csv', dashboard_id: made.id, item_id: 'Beside' },
    });
    expect(file.status).toBe(200);
  });

  it('takes it in a query of its own too', async () => {
    for (const measure of [{ formula_id: stored }, { formula: `sum({${dataset.columns.revenue}}) / count(*)` }])
      expect(dataOf(await api.ok('data', { action: 'get', find: { measures: [measure] } }))).toEqual([
        [expect.closeTo(mean)],
      ]);
    const stranger = await api.stranger();
    const find = { measures: [{ formula_id: stored }] };
    expect((await api.refused('data', { action: 'get', find }, stranger.login)).status).toBe(400);
  });

  it('opens no dataset to a writer who may not use it', async () => {
    const designer = await api.person({ flagEditor: true });
    const { id } = await api.create('dashboard', { contents: salesContents(dataset) });
    await api.associate('securable', id, 'Users', designer.id, { flagModify: true });
    for (const entry of [{ formulaId: stored }, { formula: `sum({${dataset.columns.quantity}})` }]) {
      const properties = { contents: contentsOf(other, [number('Mine', entry)]) };
      expect(await api.refused('securable', { action: 'update', id, properties }, designer.login)).toMatchObject({
        status: 403,
        code: 'forbidden',
        validation: { 'properties.contents.views[0].items[0]': [expect.stringContaining('may not use')] },
      });
      const made = await api.create('dashboard', properties, designer.login);
      expect(JSON.stringify(made['warnings'] ?? null)).not.toContain(dataset.id);
      expect(Object.keys(await api.links('securable', made.id, 'Datasets'))).toEqual([]);
    }
  });
});
