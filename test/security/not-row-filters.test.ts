import type { JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { sales } from '../browser/sales.ts';
import { useApi } from '../support/api.ts';
import { filterOrigins, sum } from '../support/filter-origins.ts';
import { linkedDatasets } from '../support/linked-datasets.ts';
import { pushSales } from '../support/sales-world.ts';
import { storesToTest } from '../support/service.ts';
import { text } from '../support/world.ts';

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
    issue,
    token,
    regions,
    seen,
    refused,
    warned,
    linked,
  } = filterOrigins(api);

  beforeAll(load, 60_000);

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
          status: 400,
          code: 'row_filters_required',
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
        resource: { role: 'Securables', id: world.dataset.id },
        properties,
      };
      expect(warned(await api.ok('embedfiltergroup', fromGroup))).toEqual(not('properties.filters'));
      await api.dissociate('embedfiltergroup', group.id, 'Securables', world.dataset.id);
      const share = await api.create('share', { securable_id: world.dashboard, filters: all() });
      expect(warned(share)).toEqual(not('properties.filters'));
      expect(warned(await api.update('share', share.id, { filters: [starting()] }))).toEqual([
        ['properties.filters[0]', 'not_row_filter'],
      ]);
      expect(share['filters']).toEqual(all());
      const associations = [{ role: 'Securables', id: world.dataset.id, properties }];
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
        api.associate('securable', world.dataset.id, 'Users', person.id, { flagModify: true, filters });
      await link(all());
      expect(await api.get('dataset', world.dataset.id, person.login)).toMatchObject({ rows: sales.length });
      const by = await token(all(), { role: 'designer', access: access('modify') });
      expect(await api.get('dataset', world.dataset.id, by)).toMatchObject({ rows: sales.length });
      expect(await api.get('column', world.dataset.columns.revenue, by)).toMatchObject({ minimum: expect.any(String) });
      await api.update('column', world.dataset.columns.quantity, { informat: null }, person.login);
      const bound = filter('region', '? = ?', 'Asia', { value: { parameter: 'x', value: 'Asia', origin: 'chart' } });
      for (const filters of [[bound], [...all(), bound], [bound, ...all()]]) {
        await link(filters);
        expect(await api.get('dataset', world.dataset.id, person.login)).toMatchObject({ rows: null });
      }
    });

    it('but are lifted by nobody whom they narrow; a starting value is', async () => {
      const person = await api.person({ flagEditor: true });
      const own = (filters: readonly JsonObject[]): object => ({
        action: 'associate',
        id: world.dataset.id,
        resource: { role: 'Users', id: person.id },
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
      const find = { measures: [{ ...on(orders, 'amount'), ...sum }], dashboard_id: world.dashboard, item_id: 'x' };
      expect(await seen(find, by)).toEqual([[300]]);
      const both = { ...find, dimensions: [on(customers, 'tenant')] };
      expect(await seen(both, by)).toEqual([['acme', 100]]);
    });
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
    const link = { action: 'associate', id: world.dataset.id, resource: { role: 'Users', id: person.id } };
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
          status: 400,
          code: 'reference_unknown',
        });
      }
  });

  it('that are stored in a form nobody knows refuse, as row filters do', async () => {
    for (const more of [{ origin: 'item' }, { origin: 'chart', chart_id: 7 }, { clause: 'any' }]) {
      const made = await issue([ofRegions()]);
      const lost = { ...ofRegions(more), column_id: world.dashboard };
      await api.overwrite('authorization', text(made, 'id'), { filters: [lost] }, {});
      const by = { key: text(made, 'id'), token: text(made, 'token') };
      expect(await refused(regions(), by)).toMatchObject({ status: 403, code: 'row_filter_invalid' });
    }
  });
});
