import { isList, type Json, type JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { contentsOf, inSlot, item, sales, slot, sumBy, type SalesDataset } from '../browser/sales.ts';
import { useApi } from '../support/api.ts';
import { dataOf, pushSales, storedFilter } from '../support/sales-world.ts';
import { type Credential, storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';

const name = 'metadata.region';
const named = (value: Json = ['Europe']): JsonObject => ({ parameter: name, type: 'array[hierarchy]', value });
const totalOf = (...regions: readonly string[]): readonly (readonly [string, number])[] =>
  sumBy(
    sales.filter(({ region }) => regions.includes(region)),
    ({ region }) => region,
  );

describe.each(storesToTest)('parameters that a query sets on %s', (store) => {
  const api = useApi(store);
  const world: { dataset: SalesDataset; dashboard: string; other: string } = {
    dataset: { id: '', columns: { day: '', region: '', product: '', revenue: '', quantity: '' } },
    dashboard: '',
    other: '',
  };

  const contents = (
    more: readonly JsonObject[],
    filters = [storedFilter(world.dataset, 'region', '? in ?', named())],
  ): JsonObject => {
    const regions = [
      slot('x-axis', inSlot(world.dataset, 'region')),
      slot('measure', inSlot(world.dataset, 'revenue')),
    ];
    const view = {
      screenModus: 'desktop',
      options: { theme: { id: 'default' } },
      filterGroups: [{ id: 'g', origin: 'global', condition: 'and', filters }],
      items: [item('Regions', 'column-chart', regions, [0, 0, 16, 18]), ...more],
    };
    return contentsOf(world.dataset, [], { views: [view], parameters: [named()] });
  };
  const control = (options: JsonObject = {}): JsonObject =>
    item('Region', 'parameter-control', [], [16, 0, 16, 4], { options: { parameter: name, ...options } });

  const token = async (more: JsonObject = {}, rights = 'read'): Promise<Credential> => {
    const dashboards = [world.dashboard, world.other].map((id) => ({ id, rights: 'read' }));
    const access = { dashboards, datasets: [{ id: world.dataset.id, rights }] };
    const made = await api.ok('authorization', {
      action: 'create',
      properties: { type: 'embed', username: 'ada', access, ...more },
    });
    return { key: text(made, 'id'), token: text(made, 'token') };
  };
  const of = (parameters?: Json, dashboard = world.dashboard): JsonObject => ({
    dashboard_id: dashboard,
    item_id: 'Regions',
    ...(parameters === undefined ? {} : { parameters }),
  });
  const plain = (answer: unknown): readonly (readonly unknown[])[] =>
    dataOf(answer).map((row) => (isList(row) ? row.map((cell) => part(cell, 'id') ?? cell) : []));
  const ask = (find: JsonObject, by: Credential): Promise<JsonObject> => api.ok('data', { action: 'get', find }, by);
  const seen = async (find: JsonObject, by: Credential): Promise<ReturnType<typeof plain>> =>
    plain(await ask(find, by)).toSorted(([one], [other]) => String(one).localeCompare(String(other)));
  const refused = (find: JsonObject, by: Credential) => api.refused('data', { action: 'get', find }, by);
  const readerOf = async (dashboard: string, more: JsonObject = {}) => {
    const person = await api.person({ flagMember: true });
    await api.associate('securable', dashboard, 'Users', person.id, { flagRead: true, ...more });
    await api.associate('securable', world.dataset.id, 'Users', person.id, { flagRead: true });
    return person;
  };
  const exported = (properties: JsonObject, by: Credential) =>
    api.service.server.inject({
      method: 'POST',
      url: '/0.1.0/export',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ ...by, action: 'create', properties }),
    });

  beforeAll(async () => {
    world.dataset = await pushSales(api);
    const choices = ['Asia', { value: 'Africa', label: { en: 'Africa', fr: 'Afrique' } }];
    world.dashboard = (await api.create('dashboard', { contents: contents([control({ choices })]) })).id;
    world.other = (await api.create('dashboard', { contents: contents([]) })).id;
  });

  it.each(['read', 'use'])('replace the value of stored filters, for tokens with %s', async (rights) => {
    const by = await token({}, rights);
    expect(await seen(of(), by)).toEqual(totalOf('Europe'));
    expect(await seen(of({ [name]: ['Asia'] }), by)).toEqual(totalOf('Asia'));
    expect(await seen(of({ region: ['Asia', 'Africa'] }), by)).toEqual(totalOf('Africa', 'Asia'));
    expect(await seen(of({ [name]: { value: 'Africa' } }), by)).toEqual(totalOf('Africa'));
    expect(await seen(of({ [name]: null }), by)).toEqual(totalOf('Europe'));
    expect(await seen(of({ [name]: { clear: true } }), by)).toEqual(totalOf('Europe'));
  });

  it('hold beside several queries for each, and those of a query win', async () => {
    const by = await token();
    const find = {
      queries: [of(), of({ region: ['Africa'] }), of({ [name]: null })],
      parameters: { [name]: ['Asia'] },
    };
    const { body } = await api.call('data', { action: 'get', find }, by);
    expect((isList(body) ? body : []).map(plain)).toEqual([totalOf('Asia'), totalOf('Africa'), totalOf('Europe')]);
  });

  it.each<JsonObject>([
    { parameter_overrides: { region: ['Asia'] } },
    { parameter_overrides: { [name]: { value: ['Asia'], sensitive: true } } },
    { metadata: { region: ['Asia'] } },
  ])('never replace what the token sets: %j', async (more) => {
    for (const rights of ['read', 'use']) {
      const by = await token(more, rights);
      for (const own of [name, 'region']) expect(await seen(of({ [own]: ['Africa'] }), by)).toEqual(totalOf('Asia'));
    }
  });

  it('never reach row filters, whoever sets them', async () => {
    const value = { parameter: name, type: 'array[hierarchy]', value: ['Asia'] };
    const own = {
      securable_id: world.dataset.id,
      column_id: world.dataset.columns.region,
      expression: '? in ?',
      value,
    };
    const all = { dimensions: [{ dataset_id: world.dataset.id, column_id: world.dataset.columns.region }] };
    const { value: _default, ...open } = value;
    for (const more of [{}, { origin: 'chart', chart_id: 'Regions' }]) {
      const by = await token({ filters: [{ ...own, ...more }] }, 'use');
      expect(await seen(of({ [name]: ['Africa'] }), by)).toEqual([]);
      expect(await seen(of({ [name]: ['Asia'] }), by)).toEqual(totalOf('Asia'));
      const without = await token({ filters: [{ ...own, ...more, value: open }] }, 'use');
      expect(await refused(of({ [name]: ['Asia'] }), without)).toMatchObject({ code: 'parameter_missing' });
    }
    const by = await token({ filters: [own] }, 'use');
    expect(await seen({ ...all, parameters: { [name]: ['Africa', 'Europe'] } }, by)).toEqual([['Asia']]);
    const reader = await token({ filters: [own] });
    expect(await seen(of({ [name]: ['Africa'] }), reader)).toEqual([]);
    const person = await api.person({ flagMember: true });
    await api.associate('securable', world.dataset.id, 'Users', person.id, { flagUse: true, filters: [own] });
    expect(await seen({ ...all, parameters: { [name]: ['Africa'] } }, person.login)).toEqual([['Asia']]);
  });

  it('open to readers what a control of the dashboard offers, and nothing else', async () => {
    const by = await token();
    const cases: readonly (readonly [JsonObject, string, string])[] = [
      [of({ [name]: ['Asia'] }, world.other), `find.parameters.${name}`, 'no parameter-control of the dashboard sets'],
      [of({ 'metadata.tenant': 'x' }), 'find.parameters.metadata.tenant', 'no parameter-control of the dashboard sets'],
      [of({ [name]: ['Asia', 'Atlantis'] }), `find.parameters.${name}`, 'is not among the choices'],
    ];
    for (const [find, at, says] of cases)
      expect(await refused(find, by)).toMatchObject({
        status: 403,
        code: 'forbidden',
        validation: { [at]: [expect.stringContaining(says)] },
      });
    expect(await seen(of({ [name]: ['Europe'] }), by)).toEqual(totalOf('Europe'));
    const free = await token({}, 'use');
    expect(await seen(of({ [name]: ['Asia'] }, world.other), free)).toEqual(totalOf('Asia'));
  });

  it('are opened by whoever may use the datasets, and by nobody else', async () => {
    const closed = (await api.create('dashboard', { contents: contents([control({ choices: ['Asia'] })]) })).id;
    const writer = await readerOf(closed, { flagModify: true });
    const write = (items: readonly JsonObject[]): JsonObject => ({
      action: 'update',
      id: closed,
      properties: { contents: contents(items) },
    });
    for (const wider of [control({ choices: ['Asia', 'Africa'] }), control()])
      expect(await api.refused('securable', write([wider]), writer.login)).toMatchObject({
        status: 403,
        code: 'forbidden',
        validation: { 'properties.contents.views[0].items[0]': [expect.stringContaining('readers could set')] },
      });
    for (const items of [
      [control({ choices: ['Asia'], style: 'buttons' })],
      [],
      [item('x', 'divider', [], [0, 30, 4, 4])],
    ])
      await api.ok('securable', write(items), writer.login);
    expect((await api.refused('securable', write([control({ choices: ['Asia'] })]), writer.login)).status).toBe(403);
    await api.ok('securable', write([control()]));
  });

  it.each<[Json, string, string]>([
    ['Asia', 'find.parameters', 'must be an object'],
    [[1], 'find.parameters', 'must be an object'],
    [{ [name]: { valeu: 'Asia' } }, `find.parameters.${name}.valeu`, 'value'],
    [{ '': 1 }, 'find.parameters.', 'must be the name of a parameter'],
    [
      Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`p${index}`, index])),
      'find.parameters',
      'at most 100 names',
    ],
  ])('are refused with their place where they cannot be read: %j', async (parameters, at, says) => {
    const by = await token({}, 'use');
    const expected = { status: 400, validation: expect.objectContaining({ [at]: [expect.stringContaining(says)] }) };
    expect(await refused(of(parameters), by)).toMatchObject(expected);
  });

  it('have one name with and without `metadata.`, and another with two', async () => {
    const asia = control({ choices: ['Asia'] });
    const closed = (await api.create('dashboard', { contents: contents([asia]) })).id;
    const writer = await readerOf(closed, { flagModify: true });
    const twice = `metadata.${name}`;
    const other = item('Other', 'parameter-control', [], [16, 4, 16, 4], { options: { parameter: twice } });
    await api.ok(
      'securable',
      { action: 'update', id: closed, properties: { contents: contents([asia, other]) } },
      writer.login,
    );
    expect(await seen(of({ [twice]: ['Africa'] }, closed), writer.login)).toEqual(totalOf('Europe'));
    expect(await refused(of({ [twice]: 1, region: ['Africa'] }, closed), writer.login)).toMatchObject({ status: 403 });
    expect(await seen(of({ [twice]: 1, region: ['Asia'] }, closed), writer.login)).toEqual(totalOf('Asia'));
  });

  it('are no empty list, which would open all rows of a filter that leaves some out', async () => {
    const except = contents(
      [control({ choices: ['Asia'] })],
      [storedFilter(world.dataset, 'region', '? not in ?', named())],
    );
    const { id } = await api.create('dashboard', { contents: except });
    const person = await readerOf(id);
    expect(await seen(of({ [name]: ['Asia'] }, id), person.login)).toEqual(totalOf('Africa', 'Europe'));
    for (const empty of [[], { value: [] }])
      expect(await refused(of({ [name]: empty }, id), person.login)).toMatchObject({
        status: 403,
        code: 'forbidden',
        validation: { [`find.parameters.${name}`]: [expect.stringContaining('is not among the choices')] },
      });
  });

  it.each<[Json]>([[[]], ['Asia'], [{}], [7], [[null, {}]]])(
    'are only what is in force where choices are %j',
    async (choices) => {
      const { id } = await api.create('dashboard', { contents: contents([control({ choices })]) });
      const person = await readerOf(id);
      for (const given of [['Asia'], 'Asia', [null]])
        expect(await refused(of({ [name]: given }, id), person.login)).toMatchObject({ status: 403 });
      expect(await seen(of({ [name]: ['Europe'] }, id), person.login)).toEqual(totalOf('Europe'));
    },
  );

  it.each(['region', name])('of the token reach row filters that name %s, overrides before metadata', async (own) => {
    const filter = {
      securable_id: world.dataset.id,
      column_id: world.dataset.columns.region,
      expression: '? in ?',
      value: { parameter: own, type: 'array[hierarchy]' },
    };
    const all = { dimensions: [{ dataset_id: world.dataset.id, column_id: world.dataset.columns.region }] };
    const metadata = { region: ['Asia'] };
    const regionsOf = async (more: JsonObject) => seen(all, await token({ filters: [filter], ...more }, 'use'));
    expect(await regionsOf({ metadata })).toEqual([['Asia']]);
    for (const spelled of ['region', name])
      expect(await regionsOf({ metadata, parameter_overrides: { [spelled]: ['Africa'] } })).toEqual([['Africa']]);
  });

  it('are part of what identifies a cached answer', async () => {
    await api.update('securable', world.dataset.id, { cache: 600 });
    const by = await token();
    for (const value of ['Asia', 'Africa']) {
      expect(part(await ask(of({ [name]: [value] }), by), 'cached')).toBe(false);
      const again = await ask(of({ [name]: [value] }), by);
      expect(again['cached']).toBe(true);
      expect(plain(again)).toEqual(totalOf(value));
    }
    await api.update('securable', world.dataset.id, { cache: 0 });
  });

  it('stay with the dashboards and rows of their own organization', async () => {
    const { login: stranger } = await api.stranger();
    expect(await refused(of({ [name]: ['Asia'] }), stranger)).toMatchObject({ status: 400, code: 'query_invalid' });
  });

  it('are in files, which show what is set', async () => {
    const by = await token();
    for (const own of [name, 'region']) {
      const csv = await exported({ type: 'csv', ...of({ [own]: ['Africa'] }) }, by);
      expect(csv.body).toContain('Africa');
      expect(csv.body).not.toContain('Europe');
      const svg = await exported(
        { type: 'svg', dashboard_id: world.dashboard, locale_id: 'fr', parameters: { [own]: ['Africa'] } },
        by,
      );
      expect(svg.body).toContain('Afrique');
      expect(svg.body).not.toContain('Europe');
    }
    const plainSvg = await exported({ type: 'svg', dashboard_id: world.dashboard }, by);
    expect(plainSvg.body).toContain('Region: Europe');
    const wrong = await exported({ type: 'csv', ...of({ [name]: { valeu: 1 } }) }, by);
    expect([wrong.statusCode, wrong.body]).toEqual([
      400,
      expect.stringContaining(`properties.parameters.${name}.valeu`),
    ]);
    const closed = await exported({ type: 'csv', ...of({ [name]: ['Asia'] }, world.other) }, by);
    expect(closed.statusCode).toBe(400);
  });

  it('are told with the appearance where the token sets them', async () => {
    const declared = async (more: JsonObject): Promise<unknown> => {
      const find = { dashboard_id: world.dashboard };
      const { dashboard = null } = await api.ok('appearance', { action: 'get', find }, await token(more));
      return part(part(dashboard, 'contents'), 'parameters');
    };
    expect(await declared({})).toEqual([named()]);
    expect(await declared({ metadata: { region: ['Asia'], tier: 'gold' } })).toEqual([
      { ...named(['Asia']), fixed: true },
    ]);
    const sensitive = { parameter_overrides: { region: { value: ['Asia'], sensitive: true } } };
    expect(await declared(sensitive)).toEqual([{ ...named(null), fixed: true }]);
  });
});
