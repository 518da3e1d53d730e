import { isList, type Json, type JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { sales, sumBy, type Sale, type SalesDataset } from '../browser/sales.ts';
import { useApi, type Somebody } from '../support/api.ts';
import { linkedDatasets } from '../support/linked-datasets.ts';
import { dataOf, pushSales, salesContents } from '../support/sales-world.ts';
import { storesToTest, type Credential } from '../support/service.ts';
import { part, text } from '../support/world.ts';

const outside = sales.filter(({ region }) => region !== 'Europe');
const plain = (answer: unknown): readonly (readonly unknown[])[] =>
  dataOf(answer).map((row) => (isList(row) ? row.map((cell) => part(cell, 'id') ?? cell) : []));
const byRegion = (rows: readonly Sale[]): readonly (readonly [string, number])[] => sumBy(rows, ({ region }) => region);
const totals = byRegion(sales);
const totalOf = (region: string): readonly (readonly [string, number])[] => totals.filter(([name]) => name === region);
/** Lies between the sums of the regions. */
const middle = 6000;

describe.each(storesToTest)('filters that are no row filters on %s', (store) => {
  const api = useApi(store);
  let dataset: SalesDataset;
  let dashboard: string;

  const filter = (
    column: keyof SalesDataset['columns'],
    expression: string,
    value: Json,
    more: JsonObject = {},
  ): JsonObject => ({
    ...{ securable_id: dataset.id, column_id: dataset.columns[column], expression, value },
    ...more,
  });
  const ofRegions = (more: JsonObject = {}): JsonObject =>
    filter('region', '? = ?', 'Asia', { origin: 'chart', chart_id: 'Regions', ...more });
  const ofGroups = (more: JsonObject = {}): JsonObject =>
    filter('revenue', '? > ?', middle, { clause: 'having', ...more });
  const starting = (more: JsonObject = {}): JsonObject =>
    filter('product', '? in ?', ['Bread'], { origin: 'initialization', ...more });
  const access = (rights = 'use'): JsonObject => ({
    datasets: [{ id: dataset.id, rights }],
    dashboards: [{ id: dashboard, rights: 'read' }],
  });
  const issue = (filters: readonly JsonObject[], more: JsonObject = {}): Promise<JsonObject> =>
    api.ok('authorization', {
      action: 'create',
      properties: { type: 'embed', username: 'ada', access: access(), filters, ...more },
    });
  const token = async (filters: readonly JsonObject[], more: JsonObject = {}): Promise<Credential> => {
    const made = await issue(filters, more);
    return { key: text(made, 'id'), token: text(made, 'token') };
  };
  const column = (name: keyof SalesDataset['columns'], more: object = {}): JsonObject => ({
    ...{ dataset_id: dataset.id, column_id: dataset.columns[name] },
    ...more,
  });
  const sum = { aggregation: { type: 'sum' } };
  const regions = (more: JsonObject = {}): JsonObject => ({
    ...{ dimensions: [column('region')], measures: [column('revenue', sum)] },
    ...more,
  });
  const of = (itemId: string): JsonObject => ({ dashboard_id: dashboard, item_id: itemId });
  const ask = (find: JsonObject, by: Credential): Promise<JsonObject> => api.ok('data', { action: 'get', find }, by);
  const seen = async (find: JsonObject, by: Credential): Promise<ReturnType<typeof plain>> =>
    plain(await ask(find, by));
  const refused = (find: JsonObject, by: Credential) => api.refused('data', { action: 'get', find }, by);
  const warned = ({ warnings = null }: JsonObject): readonly unknown[] =>
    (isList(warnings) ? warnings : []).map((one) => [part(one, 'path'), part(one, 'code')]);
  const exported = async (properties: object, by: Credential): Promise<string> => {
    const { statusCode, body } = await api.service.server.inject({
      ...{ method: 'POST', url: '/0.1.0/export', headers: { 'content-type': 'application/json' } },
      payload: JSON.stringify({ ...by, action: 'create', properties }),
    });
    expect([statusCode, statusCode === 200 ? '' : body]).toEqual([200, '']);
    return body;
  };
  const linked = (person: Somebody, filters: readonly JsonObject[]): Promise<JsonObject> =>
    api.associate('securable', dataset.id, 'Users', person.id, { flagUse: true, filters });

  beforeAll(async () => {
    dataset = await pushSales(api);
    ({ id: dashboard } = await api.create('dashboard', { contents: salesContents(dataset) }));
  }, 60_000);

  describe('of one item', () => {
    it.each(['use', 'read'])('narrow its queries and files, and nothing else, for tokens with %s', async (rights) => {
      const by = await token([ofRegions()], { access: access(rights) });
      const asia = byRegion(outside.filter(({ region }) => region === 'Asia'));
      expect(await seen(of('Regions'), by)).toEqual(asia);
      const csv = await exported({ type: 'csv', ...of('Regions') }, by);
      expect(csv.trim().split('\r\n').slice(1)).toHaveLength(1);
      const lines = await exported({ type: 'ndjson', query: of('Regions') }, by);
      expect(lines.trim().split('\n')).toHaveLength(1);
      expect(dataOf(await ask(of('Rows'), by))).toHaveLength(outside.length);
      expect(dataOf(await ask(of('Years'), by)).length).toBeGreaterThan(1);
    });

    it('hold for a free query that names the item, beside its own filters, and not for others', async () => {
      const by = await token([ofRegions()]);
      expect(await seen(regions(), by)).toEqual(totals);
      expect(await seen(regions(of('Regions')), by)).toEqual(totalOf('Asia'));
      expect(await seen(regions(of('Years')), by)).toEqual(totals);
      const queries = [regions(), regions(of('Regions'))];
      const { body } = await api.call('data', { action: 'get', find: { queries } }, by);
      expect((Array.isArray(body) ? body : []).map((one) => plain(one).length)).toEqual([totals.length, 1]);
      const europe = { expression: '? = ?', parameters: [column('region'), 'Europe'] };
      expect(await seen(regions({ ...of('Regions'), where: [europe] }), by)).toEqual([]);
    });

    it('may test a column that is hidden, which the query still does not reach', async () => {
      const by = await token([ofRegions()], { hidden_columns: [dataset.columns.region] });
      const all = { measures: [column('revenue', sum)] };
      const [[, asia] = []] = totalOf('Asia');
      expect(await seen({ ...all, ...of('Regions') }, by)).toEqual([[asia]]);
      expect(await refused(regions(of('Regions')), by)).toMatchObject({ status: 400, code: 'column_unknown' });
    });

    it('take parameters, and refuse its queries alone where one has no value', async () => {
      const value = { parameter: 'metadata.region', type: 'hierarchy' };
      const by = await token([ofRegions({ value })], { parameter_overrides: { region: 'Africa' } });
      expect(await seen(regions(of('Regions')), by)).toEqual(totalOf('Africa'));
      const without = await token([ofRegions({ value })]);
      expect(await refused(regions(of('Regions')), without)).toMatchObject({ code: 'parameter_missing' });
      expect(await seen(regions(), without)).toEqual(totals);
    });

    it('refuse its queries where they cannot be applied', async () => {
      const by = await token([filter('revenue', '? > ?', 'much', { origin: 'chart', chart_id: 'Regions' })]);
      expect(await refused(regions(of('Regions')), by)).toMatchObject({ status: 403, code: 'row_filter_invalid' });
      expect(await seen(regions(), by)).toEqual(totals);
    });
  });

  describe('of groups', () => {
    const above = totals.filter(([, total]) => total > middle);

    it('narrow the groups of every query with a measure over the column', async () => {
      expect(above.length).toBeGreaterThan(0);
      expect(above.length).toBeLessThan(totals.length);
      const by = await token([ofGroups()]);
      expect(await seen(regions(), by)).toEqual(above);
      const running = regions({ measures: [column('revenue', { aggregation: { type: 'cumulativesum' } })] });
      expect((await seen(running, by)).map((row) => row[0])).toEqual(above.map(([name]) => name));
      const items = byRegion(outside).filter(([, total]) => total > middle);
      expect(await seen(of('Regions'), by)).toEqual(items);
      const csv = await exported({ type: 'csv', ...of('Regions') }, by);
      expect(csv.trim().split('\r\n').slice(1)).toHaveLength(items.length);
    });

    it('leave queries without such a measure and rows as they are', async () => {
      const by = await token([ofGroups({ value: 1_000_000 })]);
      expect(await seen(regions(), by)).toEqual([]);
      expect(await seen({ dimensions: [column('region')] }, by)).toHaveLength(totals.length);
      expect(await seen(regions({ measures: [column('quantity', sum)] }), by)).toHaveLength(totals.length);
      expect(dataOf(await ask(of('Rows'), by))).toHaveLength(outside.length);
    });

    it('hold for one item where they name it', async () => {
      const by = await token([ofGroups({ origin: 'chart', chart_id: 'Regions' })]);
      expect(await seen(regions(of('Regions')), by)).toEqual(above);
      expect(await seen(regions(), by)).toEqual(totals);
    });
  });

  it('share no answer that is kept with other filters', async () => {
    await api.update('securable', dataset.id, { cache: 600 });
    const asks = async (filters: readonly JsonObject[]): Promise<ReturnType<typeof plain>> => {
      const by = await token(filters);
      await ask(regions(of('Regions')), by);
      const again = await ask(regions(of('Regions')), by);
      expect(again['cached']).toBe(true);
      return plain(again);
    };
    expect(await asks([])).toEqual(totals);
    expect(await asks([ofRegions()])).toHaveLength(1);
    expect(await asks([ofRegions({ value: 'Africa' })])).toEqual(totalOf('Africa'));
    expect((await asks([ofGroups()])).length).toBeLessThan(totals.length);
    expect(await asks([ofGroups({ value: 1_000_000 })])).toEqual([]);
    await api.update('securable', dataset.id, { cache: 0 });
  });

  describe('bound no rows', () => {
    const all = (): readonly JsonObject[] => [ofRegions(), ofGroups(), starting()];
    const not = (at: string): readonly unknown[] => [0, 1, 2].map((index) => [`${at}[${index}]`, 'not_row_filter']);

    it('so that tokens with them alone are warned, or refused where row filters are wanted', async () => {
      const made = await issue(all());
      expect(warned(made)).toEqual(
        expect.arrayContaining([...not('properties.filters'), ['properties.access', 'row_filter_missing']]),
      );
      expect(made['warnings_count']).toBe(4);
      expect(JSON.stringify(made['warnings'])).toContain('narrows the queries of item Regions alone');
      const bounded = await issue([filter('region', '? = ?', 'Asia'), ...all()]);
      expect(warned(bounded)).toEqual([1, 2, 3].map((index) => [`properties.filters[${index}]`, 'not_row_filter']));
      await api.update('organization', api.organizationId, { require_row_filters: true });
      for (const filters of [all(), [ofRegions()], [ofGroups()], [starting()]]) {
        const properties = { type: 'embed', username: 'ada', access: access(), filters };
        expect(await api.refused('authorization', { action: 'create', properties })).toMatchObject({
          ...{ status: 400, code: 'row_filters_required' },
        });
      }
      await api.update('organization', api.organizationId, { require_row_filters: false });
    });

    it('wherever they are set: the answer says so', async () => {
      const person = await api.person({ flagMember: true });
      expect(warned(await linked(person, all()))).toEqual(not('properties.filters'));
      expect(warned(await linked(person, [filter('region', '? = ?', 'Asia')]))).toEqual([]);
      const group = await api.create('embedfiltergroup', { name: { en: 'All' } });
      const properties = { filters: all() };
      const fromGroup = {
        action: 'associate',
        id: group.id,
        resource: { role: 'Securables', id: dataset.id },
        properties,
      };
      expect(warned(await api.ok('embedfiltergroup', fromGroup))).toEqual(not('properties.filters'));
      await api.dissociate('embedfiltergroup', group.id, 'Securables', dataset.id);
      const share = await api.create('share', { securable_id: dashboard, filters: all() });
      expect(warned(share)).toEqual(not('properties.filters'));
      expect(warned(await api.update('share', share.id, { filters: [starting()] }))).toEqual([
        ['properties.filters[0]', 'not_row_filter'],
      ]);
      expect(share['filters']).toEqual(all());
      const associations = [{ role: 'Securables', id: dataset.id, properties }];
      const made = await api.ok('embedfiltergroup', {
        action: 'create',
        properties: { name: { en: 'x' } },
        associations,
      });
      expect(warned(made)).toEqual(not('associations[0].properties.filters'));
      await api.remove('embedfiltergroup', made['id']);
    });

    it('so that whoever they hold for knows what follows from all rows and changes columns', async () => {
      const person = await api.person({ flagEditor: true });
      const link = (filters: readonly JsonObject[]): Promise<JsonObject> =>
        api.associate('securable', dataset.id, 'Users', person.id, { flagModify: true, filters });
      await link(all());
      expect(await api.get('dataset', dataset.id, person.login)).toMatchObject({ rows: sales.length });
      const by = await token(all(), { role: 'designer', access: access('modify') });
      expect(await api.get('dataset', dataset.id, by)).toMatchObject({ rows: sales.length });
      expect(await api.get('column', dataset.columns.revenue, by)).toMatchObject({ minimum: expect.any(String) });
      await api.update('column', dataset.columns.quantity, { informat: null }, person.login);
      const bound = filter('region', '? = ?', 'Asia', { value: { parameter: 'x', value: 'Asia', origin: 'chart' } });
      for (const filters of [[bound], [...all(), bound], [bound, ...all()]]) {
        await link(filters);
        expect(await api.get('dataset', dataset.id, person.login)).toMatchObject({ rows: null });
      }
    });

    it('but are lifted by nobody whom they narrow; a starting value is', async () => {
      const person = await api.person({ flagEditor: true });
      const own = (filters: readonly JsonObject[]): object => ({
        ...{ action: 'associate', id: dataset.id, resource: { role: 'Users', id: person.id } },
        properties: { flagOwner: true, filters },
      });
      for (const given of [ofRegions(), ofGroups()]) {
        await api.ok('securable', own([given]));
        expect(await api.refused('securable', own([]), person.login)).toMatchObject({ status: 403, code: 'forbidden' });
      }
      await api.ok('securable', own([starting()]));
      await api.ok('securable', own([]), person.login);
    });

    it('and stay with whoever takes over a dataset', async () => {
      const [leaving, heir] = [await api.person({ flagEditor: true }), await api.person({ flagEditor: true })];
      const { id } = await pushSales(api, leaving.login);
      const of = { securable_id: id };
      const [columnId] = await api.findIds('column', { where: { ...of, source_name: 'region' } }, leaving.login);
      const bound = { ...of, column_id: columnId ?? '', expression: '? = ?', value: 'Asia' };
      const [chart, row] = [{ ...bound, origin: 'chart', chart_id: 'x' }, bound];
      await api.associate('securable', id, 'Users', heir.id, { flagUse: true, filters: [chart] }, leaving.login);
      await api.associate('securable', id, 'Users', leaving.id, { flagOwner: true, filters: [row] }, leaving.login);
      await api.ok('user', { action: 'delete', id: leaving.id, properties: { transfer_to: heir.id } });
      expect((await api.links('securable', id, 'Users', heir.login))[heir.id]).toMatchObject({ filters: [chart] });
    });

    it('nor follow links to other datasets', async () => {
      const { dataset: make, link, on } = linkedDatasets(api);
      const customers = await make([
        ['id', 'tenant'],
        [1, 'acme'],
        [2, 'bolt'],
      ]);
      const orders = await make([
        ['customer', 'amount'],
        [1, 100],
        [2, 200],
      ]);
      await link(orders, 'customer', customers, 'id');
      const tenant = { securable_id: customers.id, column_id: customers.columns['tenant'] ?? '', expression: '? = ?' };
      const by = await token([{ ...tenant, value: 'acme', origin: 'chart', chart_id: 'x' }], {
        access: { datasets: [customers, orders].map(({ id }) => ({ id, rights: 'use' })) },
      });
      const find = { measures: [{ ...on(orders, 'amount'), ...sum }], dashboard_id: dashboard, item_id: 'x' };
      expect(await seen(find, by)).toEqual([[300]]);
      const both = { ...find, dimensions: [on(customers, 'tenant')] };
      expect(await seen(both, by)).toEqual([['acme', 100]]);
    });
  });

  it('hold on links of people, of groups and of filter groups', async () => {
    const person = await api.person({ flagMember: true });
    await linked(person, [ofRegions()]);
    expect(await seen(regions(of('Regions')), person.login)).toHaveLength(1);
    expect(await seen(regions(), person.login)).toEqual(totals);
    const member = await api.person({ flagMember: true });
    const group = await api.create('group', { name: { en: 'Some' } });
    await api.associate('group', group.id, 'Users', member.id);
    await api.associate('securable', dataset.id, 'Groups', group.id, { flagUse: true, filters: [ofGroups()] });
    expect((await seen(regions(), member.login)).length).toBeLessThan(totals.length);
    await api.dissociate('securable', dataset.id, 'Groups', group.id);
    const filterGroup = await api.create('embedfiltergroup', { name: { en: 'All' } });
    await api.associate('embedfiltergroup', filterGroup.id, 'Securables', dataset.id, { filters: [ofRegions()] });
    expect(await seen(regions(of('Regions')), await token([]))).toHaveLength(1);
    await api.remove('embedfiltergroup', filterGroup.id);
  });

  it('that start filter items are told to the page of the dashboard, and narrow nothing', async () => {
    const value = { parameter: 'metadata.product', type: 'hierarchy', value: 'Dates' };
    const shown = async (by: Credential): Promise<unknown> =>
      part(await api.ok('appearance', { action: 'get', find: { dashboard_id: dashboard } }, by), 'initial_filters');
    const by = await token([starting(), starting({ value, expression: '? = ?' }), ofRegions()]);
    expect(await seen(regions(), by)).toEqual(totals);
    const on = column('product');
    expect(await shown(by)).toEqual([
      { expression: '? in ?', parameters: [on, ['Bread']] },
      { expression: '? = ?', parameters: [on, 'Dates'] },
    ]);
    expect(await shown(await token([starting()], { hidden_columns: [dataset.columns.product] }))).toEqual([]);
    const person = await api.person({ flagMember: true });
    await linked(person, [starting()]);
    await api.associate('securable', dashboard, 'Users', person.id, { flagRead: true });
    expect(await shown(person.login)).toEqual([{ expression: '? in ?', parameters: [on, ['Bread']] }]);
    expect(await api.ok('appearance', { action: 'get', find: {} }, by)).toMatchObject({ initial_filters: [] });
  });

  it.each<[string, JsonObject, string]>([
    ['an item without an id', { origin: 'chart' }, 'chart_id'],
    ['an id that is empty', { origin: 'chart', chart_id: '' }, 'chart_id'],
    ['an id that is no text', { origin: 'chart', chart_id: 7 }, 'chart_id'],
    ['an id that is null', { origin: 'chart', chart_id: null }, 'chart_id'],
    ['an id that is too long', { origin: 'chart', chart_id: 'x'.repeat(1001) }, 'chart_id'],
    ['an id with a row filter', { chart_id: 'Regions' }, 'chart_id'],
    ['an id with a starting value', { origin: 'initialization', chart_id: 'Regions' }, 'chart_id'],
    ['an origin in capitals', { origin: 'Chart', chart_id: 'Regions' }, 'origin'],
    ['an origin that is a list', { origin: ['chart'], chart_id: 'Regions' }, 'origin'],
    ['an origin that is null', { origin: null }, 'origin'],
    ['an origin of every object', { origin: '__proto__' }, 'origin'],
    ['a clause that nobody knows', { clause: 'group' }, 'clause'],
    ['a clause that is null', { clause: null }, 'clause'],
    ['a starting value of groups', { clause: 'having', origin: 'initialization' }, 'clause'],
    ['groups at a level', { clause: 'having', level: 1 }, 'level'],
    ['groups by the newest rows', { clause: 'having', expression: 'last_available' }, 'expression'],
    ['links to follow', { origin: 'chart', chart_id: 'Regions', propagate: true }, 'propagate'],
    ['links not to follow', { clause: 'having', propagate: false }, 'propagate'],
    ['no value', { origin: 'initialization', value: 'none' }, 'value'],
  ])('are refused with %s', async (_what, more, member) => {
    const { value, ...rest } = filter('region', '? = ?', 'Asia', more);
    const filters = [value === 'none' ? rest : { value, ...rest }];
    const properties = { type: 'embed', username: 'ada', access: access(), filters };
    const person = await api.person({ flagMember: true });
    const link = { action: 'associate', id: dataset.id, resource: { role: 'Users', id: person.id } };
    const at = { status: 400, validation: { [`properties.filters[0].${member}`]: [expect.any(String)] } };
    expect(await api.refused('authorization', { action: 'create', properties })).toMatchObject(at);
    expect(await api.refused('securable', { ...link, properties: { flagUse: true, filters } })).toMatchObject(at);
  });

  it('name columns and datasets that are there', async () => {
    const lost = '01890a5d-ac96-774b-bcce-b302099a8057';
    for (const given of [ofRegions(), ofGroups(), starting()])
      for (const more of [{ column_id: lost }, { securable_id: lost }]) {
        const properties = { type: 'embed', username: 'ada', access: access(), filters: [{ ...given, ...more }] };
        expect(await api.refused('authorization', { action: 'create', properties })).toMatchObject({
          ...{ status: 400, code: 'reference_unknown' },
        });
      }
  });

  it('that are stored in a form nobody knows refuse, as row filters do', async () => {
    for (const more of [{ origin: 'item' }, { origin: 'chart', chart_id: 7 }, { clause: 'any' }]) {
      const made = await issue([ofRegions()]);
      const lost = { ...ofRegions(more), column_id: dashboard };
      await api.overwrite('authorization', text(made, 'id'), { filters: [lost] }, {});
      const by = { key: text(made, 'id'), token: text(made, 'token') };
      expect(await refused(regions(), by)).toMatchObject({ status: 403, code: 'row_filter_invalid' });
    }
  });
});
