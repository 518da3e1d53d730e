import { beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@inlay/contract';
import { sales, sumBy, type SalesDataset } from '../browser/sales.ts';
import { useApi, type Somebody } from '../support/api.ts';
import { askedFilter, dataOf, pushSales, salesContents } from '../support/sales-world.ts';
import { type Credential, storesToTest } from '../support/service.ts';
import { part } from '../support/world.ts';

const outside = sales.filter(({ region }) => region !== 'Europe');
const rounded = (rows: readonly Json[]): readonly Json[] =>
  rows.map((row) => (Array.isArray(row) ? [part(row[0], 'id') ?? row[0] ?? null, row[1] ?? null] : row));

describe.each(storesToTest)('what readers of a dashboard see on %s', (store) => {
  const api = useApi(store);
  let dataset: SalesDataset;
  let dashboard: string;
  let reader: Somebody;

  const grant = (id: string, person: Somebody, flags: object): Promise<unknown> =>
    api.associate('securable', id, 'Users', person.id, flags);
  const ask = (find: object, by: Credential): Promise<JsonObject> => api.ok('data', { action: 'get', find }, by);
  const refused = async (find: object, by: Credential = reader.login) =>
    api.refused('data', { action: 'get', find }, by);
  const of = (itemId: string, more: object = {}): JsonObject => ({ dashboard_id: dashboard, item_id: itemId, ...more });
  const column = (name: keyof SalesDataset['columns'], more: object = {}): JsonObject => ({
    dataset_id: dataset.id,
    column_id: dataset.columns[name],
    ...more,
  });
  const rows = (): JsonObject => ({ dataset_id: dataset.id, column_id: '*' });
  const sum = { aggregation: { type: 'sum' } };
  const regions = (more: object = {}): JsonObject =>
    of('Regions', { dimensions: [column('region')], measures: [column('revenue', sum)], ...more });
  const years = (level: number, more: object = {}): JsonObject =>
    of('Years', { dimensions: [column('day', { level })], measures: [column('revenue', sum)], ...more });

  beforeAll(async () => {
    dataset = await pushSales(api);
    ({ id: dashboard } = await api.create('dashboard', { contents: salesContents(dataset) }));
    reader = await api.person({ flagMember: true });
    await grant(dashboard, reader, { flagRead: true });
    await grant(dataset.id, reader, { flagRead: true });
  });

  it('are the answers to its stored items, the filters stored with them included', async () => {
    const wanted = sumBy(outside, ({ region }) => region).map(([name, value]) => [name, value]);
    expect(rounded(dataOf(await ask(regions(), reader.login)))).toEqual(wanted);
    expect(rounded(dataOf(await ask(of('Regions'), reader.login)))).toEqual(wanted);
    const products = dataOf(await ask(of('Product'), reader.login));
    expect(products.map((row) => part(Array.isArray(row) ? row[0] : null, 'id'))).toEqual([
      'Apples',
      'Bread',
      'Cheese',
      'Dates',
    ]);
    expect(dataOf(await ask(of('Rows'), reader.login))).toHaveLength(outside.length);
    expect(dataOf(await ask(of('Top'), reader.login))).toHaveLength(2);
  });

  it('are no answers to what nobody stored', async () => {
    const free = { dimensions: [column('product')], measures: [column('revenue', sum)] };
    expect(await refused(free)).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await refused({ ...free, dashboard_id: dashboard, item_id: 'Regions' })).toMatchObject({
      status: 403,
      code: 'forbidden',
      validation: { 'find.dimensions[0]': [expect.stringContaining('not what the item groups by')] },
    });
    const query = { action: 'create', properties: { type: 'csv', query: free } };
    expect(await api.refused('export', query, reader.login)).toMatchObject({ status: 403, code: 'forbidden' });
    const aichart = { action: 'create', properties: { dataset_id: dataset.id, question: 'revenue by region' } };
    expect((await api.refused('aichart', aichart, reader.login)).status).toBeGreaterThanOrEqual(400);
  });

  it('may be narrowed, opened, ordered and paged', async () => {
    const asia = await ask(regions({ where: [askedFilter(dataset, 'region', '? = ?', 'Asia')] }), reader.login);
    const value = sumBy(outside, ({ region }) => region).find(([name]) => name === 'Asia')?.[1];
    expect(rounded(dataOf(asia))).toEqual([['Asia', value]]);
    const europe = await ask(regions({ where: [askedFilter(dataset, 'region', '? = ?', 'Europe')] }), reader.login);
    expect(dataOf(europe)).toEqual([]);
    const either = {
      or: [askedFilter(dataset, 'region', '? = ?', 'Europe'), askedFilter(dataset, 'region', '? = ?', 'Asia')],
    };
    expect(rounded(dataOf(await ask(regions({ where: [either] }), reader.login)))).toEqual([['Asia', value]]);
    const apples = await ask(regions({ where: [askedFilter(dataset, 'product', '? = ?', 'Apples')] }), reader.login);
    const applesOutside = outside.filter(({ product }) => product === 'Apples');
    expect(rounded(dataOf(apples))).toEqual(sumBy(applesOutside, ({ region }) => region).map((one) => [...one]));
    for (const level of [1, 2, 3])
      expect(dataOf(await ask(years(level), reader.login)).length).toBeGreaterThan(level * 2);
    const order = [{ ...column('revenue', sum), order: 'desc' }];
    const [first] = rounded(dataOf(await ask(regions({ order, limit: { by: 1 } }), reader.login)));
    const [most] = sumBy(outside, ({ region }) => region).toSorted(([, a], [, b]) => b - a);
    expect(first).toEqual([...(most ?? [])]);
    const second = await ask(regions({ order: [column('region')], limit: { by: 1, offset: 1 } }), reader.login);
    expect(rounded(dataOf(second))).toEqual([['Asia', value]]);
  });

  it.each<[string, () => JsonObject, string]>([
    ['another measure', () => regions({ measures: [column('quantity', sum)] }), 'find.measures'],
    [
      'another aggregation',
      () => regions({ measures: [column('revenue', { aggregation: { type: 'max' } })] }),
      'find.measures',
    ],
    ['a measure more', () => regions({ measures: [column('revenue', sum), rows()] }), 'find.measures'],
    ['a measure less', () => regions({ measures: [] }), 'find.measures'],
    ['a formula', () => regions({ measures: [{ dataset_id: dataset.id, formula: 'count(*)' }] }), 'find.measures'],
    ['another dimension', () => regions({ dimensions: [column('product')] }), 'find.dimensions[0]'],
    ['a dimension more', () => regions({ dimensions: [column('region'), column('product')] }), 'find.dimensions'],
    ['a dimension less', () => regions({ dimensions: [] }), 'find.dimensions'],
    [
      'a coarser level',
      () => of('Years', { dimensions: [column('day')], measures: [column('revenue', sum)] }),
      'find.dimensions[0]',
    ],
    ['a level beyond the lowest', () => years(4), 'find.dimensions[0]'],
    [
      'bins',
      () => regions({ dimensions: [column('region', { discretization: { type: 'linear', bins: 3 } })] }),
      'find.dimensions[0]',
    ],
    [
      'a filter on a column nobody shows',
      () => regions({ where: [askedFilter(dataset, 'quantity', '? > ?', 3)] }),
      'find.where[0]',
    ],
    [
      'such a filter among others',
      () =>
        regions({
          where: [
            { or: [askedFilter(dataset, 'region', '? = ?', 'Asia'), askedFilter(dataset, 'quantity', '? > ?', 3)] },
          ],
        }),
      'find.where[0]',
    ],
    [
      'a filter on another sum',
      () =>
        regions({
          having: [{ expression: '? > ?', parameters: [column('revenue', { aggregation: { type: 'max' } }), 3] }],
        }),
      'find.having[0]',
    ],
    ['another order', () => regions({ order: [{ ...column('quantity', sum), order: 'desc' }] }), 'find.order[0]'],
    ['the order of a column', () => of('Rows', { order: [column('quantity')] }), 'find.order[0]'],
    ['more rows', () => of('Top', { limit: { by: 3 } }), 'find.limit'],
    ['later rows', () => of('Top', { limit: { by: 2, offset: 1 } }), 'find.limit'],
    ['the rows themselves', () => regions({ options: { rollup_data: false } }), 'find.options.rollup_data'],
  ])('are not those of %s', async (_name, query, place) => {
    const said = await refused(query());
    expect(said).toMatchObject({ status: 403, code: 'forbidden' });
    expect(Object.keys(said.validation)).toContain(place);
  });

  it.each<[string, () => JsonObject, number, string]>([
    ['no dashboard', () => regions({ dashboard_id: dataset.id }), 400, 'find.dashboard_id'],
    [
      'an unknown dashboard',
      () => of('Regions', { dashboard_id: '01890a5d-ac96-774b-bcce-b302099a8057' }),
      400,
      'find.dashboard_id',
    ],
    ['no item of it', () => regions({ item_id: 'Elsewhere' }), 400, 'find.item_id'],
    ['a dashboard without an item', () => regions({ item_id: null }), 400, 'find.item_id'],
    ['an item without a dashboard', () => regions({ dashboard_id: null }), 400, 'find.dashboard_id'],
    ['what is no id', () => regions({ dashboard_id: 7, item_id: ['Regions'] }), 400, 'find.item_id'],
  ])('need the item of a dashboard, not %s', async (_name, query, status, place) => {
    const said = await refused(query());
    expect(said.status).toBe(status);
    expect(Object.keys(said.validation)).toContain(place);
  });

  it('need reading of both the dashboard and the dataset', async () => {
    const [ofDashboard, ofDataset, stranger] = await Promise.all([
      api.person({ flagMember: true }),
      api.person({ flagMember: true }),
      api.stranger(),
    ]);
    await grant(dashboard, ofDashboard, { flagRead: true });
    await grant(dataset.id, ofDataset, { flagRead: true });
    // An owner of the organization sees that the dashboard is there, and not what is in it.
    const ofOrganization = await api.person({ flagOwner: true });
    await grant(dataset.id, ofOrganization, { flagRead: true });
    for (const query of [regions(), of('Regions')])
      expect((await refused(query, ofOrganization.login)).validation).toHaveProperty(['find.dashboard_id']);
    expect((await refused(regions(), ofDashboard.login)).code).toBe('dataset_unknown');
    expect((await refused(of('Regions'), ofDashboard.login)).code).toBe('dataset_unknown');
    expect((await refused(regions(), ofDataset.login)).validation).toHaveProperty(['find.dashboard_id']);
    for (const query of [regions(), of('Regions')]) {
      const said = await refused(query, stranger.login);
      expect(said.status).toBe(400);
      expect(JSON.stringify(said)).toBe(JSON.stringify(await refused(query, stranger.login)));
    }
  });

  it('end with the link between the dashboard and the dataset', async () => {
    const { id } = await api.create('dashboard', { contents: salesContents(dataset) });
    await grant(id, reader, { flagRead: true });
    await ask({ ...regions(), dashboard_id: id }, reader.login);
    await api.dissociate('securable', id, 'Datasets', dataset.id);
    const said = await api.call('data', { action: 'get', find: { ...regions(), dashboard_id: id } }, reader.login);
    expect(said.status).toBe(403);
    expect(part(said.body, 'message')).toContain('is not linked to this dashboard');
    await api.associate('securable', id, 'Datasets', dataset.id);
    await ask({ ...regions(), dashboard_id: id }, reader.login);
  });

  it('have the row filters of whoever reads, and no column that is hidden from them', async () => {
    const filtered = await api.person({ flagMember: true });
    await grant(dashboard, filtered, { flagRead: true });
    const filters = [
      {
        clause: 'where',
        origin: 'global',
        securable_id: dataset.id,
        column_id: dataset.columns.region,
        expression: '? = ?',
        value: 'Asia',
      },
    ];
    await grant(dataset.id, filtered, { flagRead: true, filters });
    expect(dataOf(await ask(of('Regions'), filtered.login))).toHaveLength(1);
    const access = { dashboards: [{ id: dashboard, rights: 'read' }], datasets: [{ id: dataset.id, rights: 'read' }] };
    const plain = await api.embedToken({ access });
    expect(dataOf(await ask(regions(), plain))).toHaveLength(2);
    const hiding = await api.embedToken({ access, hidden_columns: [dataset.columns.revenue] });
    expect((await refused(regions(), hiding)).status).toBe(400);
    expect(dataOf(await ask(of('Product'), hiding))).toHaveLength(4);
    const hidingRegions = await api.embedToken({ access, hidden_columns: [dataset.columns.region] });
    expect((await refused(of('Product'), hidingRegions)).status).toBe(400);
  });

  it('come one by one in a batch, each by its own item', async () => {
    const queries = [of('Regions'), regions({ measures: [rows()] }), of('Nowhere'), years(2)];
    const { body } = await api.call('data', { action: 'get', find: { queries } }, reader.login);
    const codes = Array.isArray(body) ? body.map((one) => part(part(one, 'error'), 'code') ?? 'rows') : [];
    expect(codes).toEqual(['rows', 'forbidden', 'query_invalid', 'rows']);
  });

  it('are exported as the items show them', async () => {
    const exported = async (properties: object): Promise<{ status: number; body: string }> => {
      const { statusCode, body } = await api.service.server.inject({
        method: 'POST',
        url: '/0.1.0/export',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ action: 'create', properties, ...reader.login }),
      });
      return { status: statusCode, body };
    };
    const csv = await exported({ type: 'csv', dashboard_id: dashboard, item_id: 'Regions' });
    expect(csv.status).toBe(200);
    expect(csv.body.trim().split('\r\n')).toHaveLength(3);
    const rows = await exported({ type: 'ndjson', query: of('Regions') });
    expect(rows.status).toBe(200);
    expect(rows.body.trim().split('\n')).toHaveLength(2);
  });

  it('are refused where a filter of the dashboard cannot be read', async () => {
    const contents = salesContents(dataset);
    const text = JSON.stringify(contents).replace('"expression":"? != ?",', '');
    const broken: JsonObject = JSON.parse(text);
    const { id } = await api.create('dashboard', { contents: broken });
    await grant(id, reader, { flagRead: true });
    expect((await refused({ ...regions(), dashboard_id: id })).status).toBe(403);
    expect((await refused({ dashboard_id: id, item_id: 'Regions' })).status).toBe(403);
  });

  it('leave free questions to whoever may use the dataset, whatever item they name', async () => {
    const user = await api.person({ flagMember: true });
    await grant(dataset.id, user, { flagUse: true });
    const free = { dimensions: [column('product')], measures: [column('revenue', sum)] };
    expect(dataOf(await ask({ ...free, dashboard_id: dashboard, item_id: 'Regions' }, user.login))).toHaveLength(4);
    expect(dataOf(await ask(free, user.login))).toHaveLength(4);
  });

  it('follow what is stored now', async () => {
    const { id } = await api.create('dashboard', { contents: salesContents(dataset) });
    await grant(id, reader, { flagRead: true });
    const query = { ...regions(), dashboard_id: id };
    await ask(query, reader.login);
    const changed: JsonObject = JSON.parse(
      JSON.stringify(salesContents(dataset)).replace('"aggregationFunc":"sum"', '"aggregationFunc":"average"'),
    );
    await api.update('securable', id, { contents: changed });
    expect((await refused(query)).validation).toHaveProperty(['find.measures']);
  });
});
