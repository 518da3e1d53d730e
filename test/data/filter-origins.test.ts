import type { JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { byRegion, filterOrigins, middle, outside, plain, sum, totalOf, totals } from '../support/filter-origins.ts';
import { dataOf } from '../support/sales-world.ts';
import { type Credential, storesToTest } from '../support/service.ts';
import { part } from '../support/world.ts';

describe.each(storesToTest)('filters that are no row filters on %s', (store) => {
  const api = useApi(store);
  const {
    world,
    load,
    filter,
    ofRegions,
    ofGroups,
    starting,
    access,
    token,
    column,
    regions,
    of,
    ask,
    seen,
    refused,
    exported,
    linked,
  } = filterOrigins(api);

  beforeAll(load, 60_000);

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
      const by = await token([ofRegions()], { hidden_columns: [world.dataset.columns.region] });
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
    await api.update('securable', world.dataset.id, { cache: 600 });
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
    await api.update('securable', world.dataset.id, { cache: 0 });
  });

  it('hold on links of people, of groups and of filter groups', async () => {
    const person = await api.person({ flagMember: true });
    await linked(person, [ofRegions()]);
    expect(await seen(regions(of('Regions')), person.login)).toHaveLength(1);
    expect(await seen(regions(), person.login)).toEqual(totals);
    const member = await api.person({ flagMember: true });
    const group = await api.create('group', { name: { en: 'Some' } });
    await api.associate('group', group.id, 'Users', member.id);
    await api.associate('securable', world.dataset.id, 'Groups', group.id, { flagUse: true, filters: [ofGroups()] });
    expect((await seen(regions(), member.login)).length).toBeLessThan(totals.length);
    await api.dissociate('securable', world.dataset.id, 'Groups', group.id);
    const filterGroup = await api.create('embedfiltergroup', { name: { en: 'All' } });
    await api.associate('embedfiltergroup', filterGroup.id, 'Securables', world.dataset.id, { filters: [ofRegions()] });
    expect(await seen(regions(of('Regions')), await token([]))).toHaveLength(1);
    await api.remove('embedfiltergroup', filterGroup.id);
  });

  it('that start filter items are told to the page of the dashboard, and narrow nothing', async () => {
    const value = { parameter: 'metadata.product', type: 'hierarchy', value: 'Dates' };
    const shown = async (by: Credential): Promise<unknown> =>
      part(
        await api.ok('appearance', { action: 'get', find: { dashboard_id: world.dashboard } }, by),
        'initial_filters',
      );
    const by = await token([starting(), starting({ value, expression: '? = ?' }), ofRegions()]);
    expect(await seen(regions(), by)).toEqual(totals);
    const on = column('product');
    expect(await shown(by)).toEqual([
      { expression: '? in ?', parameters: [on, ['Bread']] },
      { expression: '? = ?', parameters: [on, 'Dates'] },
    ]);
    expect(await shown(await token([starting()], { hidden_columns: [world.dataset.columns.product] }))).toEqual([]);
    const ofParameter = (sensitive: boolean): Promise<Credential> =>
      token([starting({ value, expression: '? = ?' })], {
        parameter_overrides: { product: { value: 'Bread', sensitive } },
      });
    expect(await shown(await ofParameter(false))).toEqual([{ expression: '? = ?', parameters: [on, 'Bread'] }]);
    expect(await shown(await ofParameter(true))).toEqual([]);
    const person = await api.person({ flagMember: true });
    await linked(person, [starting()]);
    await api.associate('securable', world.dashboard, 'Users', person.id, { flagRead: true });
    expect(await shown(person.login)).toEqual([{ expression: '? in ?', parameters: [on, ['Bread']] }]);
    expect(await api.ok('appearance', { action: 'get', find: {} }, by)).toMatchObject({ initial_filters: [] });
  });
});
