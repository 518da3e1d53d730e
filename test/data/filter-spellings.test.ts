import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { byRegion, filterOrigins, middle, totalOf, totals } from '../support/filter-origins.ts';
import { sales } from '../browser/sales.ts';
import { storesToTest } from '../support/service.ts';
import { part } from '../support/world.ts';

const spellings = ['parameters with dataset_id', 'parameters with datasetId', 'members beside the expression'] as const;
type Spelling = (typeof spellings)[number];

describe.each(storesToTest)('the spelling of a filter on %s', (store) => {
  const api = useApi(store);
  const { world, load, access, token, regions, seen, linked } = filterOrigins(api);
  beforeAll(load, 60_000);

  const spelled = (
    spelling: Spelling,
    name: 'region' | 'revenue' | 'day',
    expression: string,
    value: Json,
    more: JsonObject = {},
  ): JsonObject => {
    const [dataset, column] = [world.dataset.id, world.dataset.columns[name]];
    return {
      'parameters with dataset_id': {
        expression,
        parameters: [{ dataset_id: dataset, column_id: column }, value],
        ...more,
      },
      'parameters with datasetId': {
        expression,
        parameters: [{ datasetId: dataset, columnId: column }, value],
        ...more,
      },
      'members beside the expression': { securable_id: dataset, column_id: column, expression, value, ...more },
    }[spelling];
  };
  const inAsia = (spelling: Spelling, more: JsonObject = {}): JsonObject =>
    spelled(spelling, 'region', '? = ?', 'Asia', more);

  it.each(spellings)('%s: a query takes it in where and having', async (spelling) => {
    expect(await seen(regions({ where: [inAsia(spelling)] }), api.owner)).toEqual(totalOf('Asia'));
    const above = spelled(spelling, 'revenue', '? > ?', middle);
    expect(await seen(regions({ having: [above] }), api.owner)).toEqual(totals.filter(([, total]) => total > middle));
  });

  it.each([spellings[0], spellings[2]])('%s: a token, a link and a share take it', async (spelling) => {
    expect(await seen(regions(), await token([inAsia(spelling)]))).toEqual(totalOf('Asia'));
    const person = await api.person({ flagMember: true });
    await linked(person, [inAsia(spelling)]);
    expect(await seen(regions(), person.login)).toEqual(totalOf('Asia'));
    const share = await api.create('share', { securable_id: world.dashboard, filters: [inAsia(spelling)] });
    const { filters } = await api.get('share', share.id);
    expect(filters).toEqual([inAsia('members beside the expression')]);
  });

  it('a token takes every kind of filter in parameters, with a level', async () => {
    const name = 'parameters with dataset_id';
    const year = { dataset_id: world.dataset.id, column_id: world.dataset.columns.day, level: 1 };
    const first = sales[0]?.day.slice(0, 4) ?? '';
    const ofYear = { expression: '? = ?', parameters: [year, `${first}-01-01T00:00:00.000Z`] };
    const rows = byRegion(sales.filter(({ day }) => day.startsWith(first)));
    expect(rows).not.toEqual(totals);
    expect(await seen(regions(), await token([ofYear]))).toEqual(rows);
    const groups = spelled(name, 'revenue', '? > ?', middle, { clause: 'having' });
    expect(await seen(regions(), await token([groups]))).toEqual(totals.filter(([, total]) => total > middle));
    const empty = { expression: '? is null', parameters: [year] };
    expect(await seen(regions(), await token([empty]))).toEqual([]);
  });

  it.each(spellings)('%s: filter groups of contents take it', async (spelling) => {
    const { contents = null } = await api.get('dashboard', world.dashboard);
    const views = isObject(contents) && isList(contents['views']) ? contents['views'] : [];
    const filterGroups = [{ condition: 'and', origin: 'global', filters: [inAsia(spelling)] }];
    const { id } = await api.create('dashboard', {
      contents: { views: views.map((view) => ({ ...(isObject(view) ? view : {}), filterGroups })) },
    });
    const reads = { datasets: [{ id: world.dataset.id, rights: 'read' }], dashboards: [{ id, rights: 'read' }] };
    const by = await token([], { access: reads });
    expect(await seen({ dashboard_id: id, item_id: 'Regions' }, by)).toEqual(totalOf('Asia'));
  });

  it('faults name the place as it was sent', async () => {
    const properties = (filter: JsonObject): JsonObject => ({
      type: 'embed',
      username: 'ada',
      access: access(),
      filters: [filter],
    });
    const faults = async (filter: JsonObject): Promise<unknown> =>
      part(await api.refused('authorization', { action: 'create', properties: properties(filter) }), 'validation');
    const column = { dataset_id: world.dataset.id, column_id: 'region' };
    expect(await faults({ expression: '? = ?', parameters: [column] })).toEqual({
      'properties.filters[0].parameters[0].column_id': ['must be a UUID'],
      'properties.filters[0].parameters[1]': ['is required: the value'],
    });
    const gone = { dataset_id: world.dataset.id, column_id: world.dataset.id };
    expect(await faults({ expression: '? = ?', parameters: [gone, 'Asia'] })).toEqual({
      'properties.filters[0].parameters[0].column_id': [expect.stringContaining('there is no such column')],
    });
    const flat = { securable_id: gone.dataset_id, column_id: gone.column_id };
    expect(await faults({ expression: '? = ?', ...flat, value: 'Asia' })).toHaveProperty([
      'properties.filters[0].column_id',
    ]);
    expect(await faults({ expression: '? = ?', parameters: [column, 1], value: 2 })).toHaveProperty([
      'properties.filters[0].value',
    ]);
    expect(await faults({ expression: '? = ?', parameters: 'region' })).toHaveProperty([
      'properties.filters[0].parameters',
    ]);
    const where = [{ securable_id: world.dataset.id, column_id: 5, expression: '? = ?', value: 1, clause: 'having' }];
    const refused = await api.refused('data', { action: 'get', find: regions({ where }) });
    expect(part(refused, 'validation')).toEqual({
      'find.where[0].clause': ['must be "where" here'],
      'find.where[0].column_id': ['must be a text'],
    });
  });
});
