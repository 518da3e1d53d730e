import { beforeAll, describe, expect, it } from 'vitest';
import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import { contentsOf, inSlot, item, slot, type SalesDataset } from '../browser/sales.ts';
import { useApi, type Somebody } from '../support/api.ts';
import { dataOf, pushSales, salesContents, storedFilter } from '../support/sales-world.ts';
import { storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';

const listIn = (value: Json | undefined): readonly Json[] => (isList(value ?? null) && isList(value) ? value : []);

describe.each(storesToTest)('writers of dashboards on %s', (store) => {
  const api = useApi(store);
  let dataset: SalesDataset;
  let other: SalesDataset;
  /** May change dashboards and sees the dataset, but may not use it. */
  let designer: Somebody;
  /** May change dashboards and does not see the dataset. */
  let outsider: Somebody;

  const grant = (id: string, person: Somebody, flags: object): Promise<unknown> =>
    api.associate('securable', id, 'Users', person.id, flags);
  const linked = async (id: string): Promise<readonly string[]> =>
    Object.keys(await api.links('securable', id, 'Datasets'));

  async function dashboardFor(contents: JsonObject): Promise<string> {
    const { id } = await api.create('dashboard', { contents });
    for (const person of [designer, outsider]) await grant(id, person, { flagModify: true });
    return id;
  }

  beforeAll(async () => {
    dataset = await pushSales(api);
    other = await pushSales(api);
    designer = await api.person({ flagEditor: true });
    outsider = await api.person({ flagEditor: true });
    await grant(dataset.id, designer, { flagRead: true });
    await grant(other.id, designer, { flagUse: true });
    await grant(other.id, outsider, { flagUse: true });
  });

  /** Returns the contents with something changed in one item, or in their only view. */
  const changed = (
    change: (item: JsonObject) => JsonObject,
    view: (view: JsonObject) => JsonObject = (one) => one,
  ): JsonObject => {
    const contents = salesContents(dataset);
    const views = listIn(contents['views']).flatMap((one) => {
      if (!isObject(one)) return [];
      const items = listIn(one['items']).map((held) =>
        isObject(held) && held['id'] === 'Regions' ? change(held) : held,
      );
      return [view({ ...one, items })];
    });
    return { ...contents, views };
  };
  const same = (held: JsonObject): JsonObject => held;
  const looks: readonly (readonly [string, () => JsonObject])[] = [
    ['move and resize', () => changed((held) => ({ ...held, position: { col: 8, row: 4, sizeX: 30, sizeY: 9 } }))],
    ['hide', () => changed((held) => ({ ...held, options: { hidden: true } }))],
    ['restyle', () => changed((held) => ({ ...held, title: { en: 'Elsewhere' }, options: { color: 'red' } }))],
    [
      'label',
      () =>
        changed((held) => ({
          ...held,
          slots: [
            slot('x-axis', inSlot(dataset, 'region', { label: 'Area' })),
            slot('measure', inSlot(dataset, 'revenue')),
          ],
        })),
    ],
    ['take away', () => changed(same, (view) => ({ ...view, items: listIn(view['items']).slice(1) }))],
    ['order', () => changed(same, (view) => ({ ...view, items: listIn(view['items']).toReversed() }))],
    ['style the view of', () => changed(same, (view) => ({ ...view, options: { theme: { id: 'default_dark' } } }))],
  ];
  const meanings: readonly (readonly [string, () => JsonObject])[] = [
    ['another type', () => changed((held) => ({ ...held, type: 'donut-chart' }))],
    ['another id', () => changed((held) => ({ ...held, id: 'Mine' }))],
    [
      'another slot',
      () =>
        changed((held) => ({
          ...held,
          slots: [slot('x-axis', inSlot(dataset, 'product')), slot('measure', inSlot(dataset, 'revenue'))],
        })),
    ],
    [
      'another aggregation',
      () =>
        changed((held) => ({
          ...held,
          slots: [
            slot('x-axis', inSlot(dataset, 'region')),
            slot('measure', inSlot(dataset, 'revenue', { aggregationFunc: 'max' })),
          ],
        })),
    ],
    [
      'a formula',
      () =>
        changed((held) => ({
          ...held,
          slots: [
            slot('x-axis', inSlot(dataset, 'region')),
            slot('measure', { datasetId: dataset.id, formula: 'count(*)' }),
          ],
        })),
    ],
    ['more rows', () => changed((held) => ({ ...held, options: { limit: 50 } }))],
    ['no filters', () => changed(same, (view) => ({ ...view, filterGroups: [] }))],
    [
      'another filter',
      () =>
        changed(same, (view) => ({
          ...view,
          filterGroups: [
            { condition: 'and', origin: 'global', filters: [storedFilter(dataset, 'quantity', '? > ?', 0)] },
          ],
        })),
    ],
    [
      'filters nobody can read',
      () =>
        changed(same, (view) => ({
          ...view,
          filterGroups: [...listIn(view['filterGroups']), { filters: [{ expression: 7 }] }],
        })),
    ],
    [
      'filters of its own',
      () => changed((held) => ({ ...held, filters: [storedFilter(dataset, 'quantity', '? > ?', 5)] })),
    ],
    ['filters of its own that nobody can read', () => changed((held) => ({ ...held, filters: [{ expression: 7 }] }))],
    [
      'a copy of an item',
      () =>
        changed(same, (view) => ({
          ...view,
          items: [
            ...listIn(view['items']),
            item('More', 'donut-chart', [slot('category', inSlot(dataset, 'quantity'))], [0, 0, 8, 8]),
          ],
        })),
    ],
    [
      'a deeper level',
      () => {
        const deeper = JSON.stringify(salesContents(dataset)).replace('"lowestLevel":3', '"lowestLevel":7');
        const read: JsonObject = JSON.parse(deeper);
        return read;
      },
    ],
    [
      'a weight in an item over another dataset',
      () =>
        changed(same, (view) => ({
          ...view,
          items: [
            ...listIn(view['items']),
            item(
              'Weighed',
              'evolution-number',
              [
                slot(
                  'measure',
                  inSlot(other, 'revenue', {
                    aggregationFunc: 'rate',
                    aggregationWeight: { datasetId: dataset.id, columnId: dataset.columns.quantity },
                  }),
                ),
              ],
              [0, 0, 8, 8],
            ),
          ],
        })),
    ],
  ];

  it.each(looks)('who may not use the dataset may %s items over it', async (_name, contents) => {
    const id = await dashboardFor(salesContents(dataset));
    for (const { login } of [designer, outsider]) await api.update('securable', id, { contents: contents() }, login);
    expect(await linked(id)).toEqual([dataset.id]);
  });

  it.each(meanings)('who may not use the dataset do not give its items %s', async (_name, contents) => {
    const id = await dashboardFor(salesContents(dataset));
    for (const { login } of [designer, outsider]) {
      const said = await api.refused(
        'securable',
        { action: 'update', id, properties: { contents: contents() } },
        login,
      );
      expect(said).toMatchObject({ status: 403, code: 'forbidden' });
      expect(Object.keys(said.validation)[0]).toMatch(/^properties\.contents\.views\[0\]\.items\[\d\]$/u);
    }
    expect((await api.get('securable', id))['contents']).toEqual(salesContents(dataset));
    await api.update('securable', id, { contents: contents() });
  });

  it('who may not use the dataset neither edit nor take away the filters of its items', async () => {
    const filtered = (filters: readonly JsonObject[]): JsonObject =>
      changed((held) => ({ ...held, filters: [...filters] }));
    const filter = storedFilter(dataset, 'quantity', '? > ?', 5);
    const id = await dashboardFor(filtered([filter]));
    for (const filters of [[], [storedFilter(dataset, 'quantity', '? > ?', 4)], [{ or: [filter, filter] }]])
      for (const { login } of [designer, outsider]) {
        const properties = { contents: filtered(filters) };
        const said = await api.refused('securable', { action: 'update', id, properties }, login);
        expect(said).toMatchObject({ status: 403, code: 'forbidden' });
      }
    expect((await api.get('securable', id))['contents']).toEqual(filtered([filter]));
    await api.update('securable', id, { contents: filtered([]) });
  });

  it('who may use another dataset add items over that one', async () => {
    const id = await dashboardFor(salesContents(dataset));
    const mine = item('Mine', 'donut-chart', [slot('category', inSlot(other, 'region'))], [0, 0, 8, 8]);
    const contents = changed(same, (view) => ({ ...view, items: [...listIn(view['items']), mine] }));
    await api.update('securable', id, { contents }, designer.login);
    expect((await linked(id)).toSorted()).toEqual([dataset.id, other.id].toSorted());
  });

  it('who see a dataset they may not use make no dashboard over it', async () => {
    const body = { action: 'create', properties: { contents: salesContents(dataset) } };
    const said = await api.refused('dashboard', body, designer.login);
    expect(said).toMatchObject({ status: 403, code: 'forbidden' });
    expect(Object.keys(said.validation)).toEqual(
      [0, 1, 2, 3, 4].map((index) => `properties.contents.views[0].items[${index}]`),
    );
  });

  it('are warned of datasets they cannot see, which are not linked', async () => {
    const absent = { ...dataset, id: '01890a5d-ac96-774b-bcce-b302099a8057' };
    const word = { ...dataset, id: 'sales' };
    const answers = [];
    for (const one of [dataset, absent, word]) {
      const made = await api.create('dashboard', { contents: salesContents(one) }, outsider.login);
      expect(made['warnings_count']).toBe(6);
      expect(await api.links('securable', made.id, 'Datasets').catch(() => ({}))).toEqual({});
      answers.push(JSON.stringify(made['warnings']).replaceAll(one.id, 'it'));
      expect(await api.get('securable', made.id, outsider.login)).not.toHaveProperty('warnings');
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('"path":"properties.contents.views[0].items[0]","code":"reference_unknown"');
  });

  it('may name as many datasets as contents hold, of which 5,000 count', async () => {
    const many = (count: number): JsonObject => {
      const columns = Array.from({ length: count }, (_, index) => ({
        datasetId: `01890a5d-ac96-774b-bcce-${String(index).padStart(12, '0')}`,
        columnId: 'x',
      }));
      return contentsOf(dataset, [item('Many', 'regular-table', [slot('columns', ...columns)], [0, 0, 8, 8])]);
    };
    const { id, ...made } = await api.create('dashboard', { contents: many(4990) });
    expect(made['warnings_count']).toBe(4990);
    expect(listIn(made['warnings'])).toHaveLength(100);
    expect(await api.update('securable', id, { contents: many(66_000) })).not.toHaveProperty('warnings');
    const find = { dashboard_id: id, item_id: 'Many' };
    const { status, body } = await api.call('data', { action: 'get', find });
    expect([status, part(body, 'message')]).toEqual([403, expect.stringContaining('more than 5,000 items')]);
  });

  it('who may not use the dataset bring nothing in by a dashboard that is too large', async () => {
    const id = await dashboardFor(salesContents(dataset));
    const most = inSlot(dataset, 'quantity');
    const mine = item('Mine', 'donut-chart', [slot('category', most)], [0, 0, 8, 8]);
    const filler = Array.from({ length: 5000 }, (_, index) => item(`${index}`, 'text', [], [0, 0, 1, 1]));
    const smaller = changed(same, (view) => ({ ...view, items: [...listIn(view['items']), mine] }));
    const larger = changed(same, (view) => ({ ...view, items: [...listIn(view['items']), mine, ...filler] }));
    await api.update('securable', id, { contents: larger }, designer.login);
    const said = await api.refused(
      'securable',
      { action: 'update', id, properties: { contents: smaller } },
      designer.login,
    );
    expect(said.status).toBe(403);
  });

  it('open nothing to readers by an item over a dataset that they cannot see, until somebody who may use it writes or links', async () => {
    const { id } = await api.create('dashboard', { contents: salesContents(dataset) }, outsider.login);
    const reader = await api.person({ flagMember: true });
    await grant(dataset.id, reader, { flagRead: true });
    await api.associate('securable', id, 'Users', reader.id, { flagRead: true }, outsider.login);
    const find = { dashboard_id: id, item_id: 'Regions' };
    expect((await api.refused('data', { action: 'get', find }, reader.login)).status).toBe(403);
    await api.refused(
      'securable',
      { action: 'associate', id, resource: { role: 'Datasets', id: dataset.id } },
      outsider.login,
    );
    await api.associate('securable', id, 'Users', api.userId, { flagModify: true }, outsider.login);
    await api.update('securable', id, { contents: salesContents(dataset) });
    expect(dataOf(await api.ok('data', { action: 'get', find }, reader.login))).toHaveLength(2);
  });

  it('link what they may use, also by an association in the same request', async () => {
    const made = await api.ok('dashboard', {
      action: 'create',
      properties: {
        contents: contentsOf(dataset, [
          item('One', 'donut-chart', [slot('category', inSlot(dataset, 'region'))], [0, 0, 8, 8]),
        ]),
      },
      associations: [{ role: 'Datasets', id: dataset.id }],
    });
    expect(await linked(text(made, 'id'))).toEqual([dataset.id]);
    const empty = await api.create('dashboard', {});
    expect(await linked(empty.id)).toEqual([]);
    await api.update('securable', empty.id, { name: { en: 'Named' } });
    await api.update('securable', empty.id, { contents: salesContents(dataset) });
    await api.update('securable', empty.id, { contents: salesContents(dataset) });
    expect(await linked(empty.id)).toEqual([dataset.id]);
  });

  it('of other organizations link nothing of this one', async () => {
    const stranger = await api.stranger();
    const absent = { ...dataset, id: '01890a5d-ac96-774b-bcce-b302099a8057' };
    const answers = [dataset, absent].map(async (one) => {
      const made = await api.create('dashboard', { contents: salesContents(one) }, stranger.login);
      const find = { dashboard_id: made.id, item_id: 'Regions' };
      const { status, body } = await api.call('data', { action: 'get', find }, stranger.login);
      expect([made['warnings_count'], status]).toEqual([6, 403]);
      const { request_id: _request, ...said } = Object(body);
      return JSON.stringify(said).replaceAll(one.id, 'it');
    });
    const [hidden, none] = await Promise.all(answers);
    expect(hidden).toBe(none);
  });
});
