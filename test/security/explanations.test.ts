import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isList, objectOr, type Json, type JsonObject } from '@inlay/contract';
import { contentsOf, inSlot, item, sales, slot, type SalesDataset } from '../browser/sales.ts';
import { useApi, type Api, type Somebody } from '../support/api.ts';
import { dataOf, pushSales } from '../support/sales-world.ts';
import { storesToTest, type Credential } from '../support/service.ts';
import { part, text } from '../support/world.ts';

/** Somebody whose access is explained: what `explain` names, and the credential with which they ask themselves. */
interface Person {
  readonly explain: JsonObject;
  readonly by: Credential;
}

const person = ({ id, login }: Somebody): Person => ({ explain: { user_id: id }, by: login });
const token = (by: Credential): Person => ({ explain: { authorization_id: by.key }, by });
const listIn = (value: Json | undefined): readonly JsonObject[] =>
  isList(value ?? null) && isList(value) ? value.map(objectOr) : [];

const fail = (): never => {
  throw new Error('no such situation');
};

/** Returns the numbers of rows of an explanation: before the first restriction and after each. */
function stepsOf({ rows }: JsonObject): readonly number[] {
  const { total = null, filters, givers } = objectOr(rows);
  return [total, ...[...listIn(filters), ...listIn(givers)].map((step) => step['rows'] ?? null)].map(Number);
}

/** A dataset, another that it looks up, and a dashboard with a table over it; and what situations are made of. */
class Shop {
  readonly api: Api;
  readonly dataset: SalesDataset;
  readonly regions: { readonly id: string; readonly name: string; readonly open: string };
  readonly dashboardId: string;
  constructor(api: Api, dataset: SalesDataset, regions: Shop['regions'], dashboardId: string) {
    this.api = api;
    this.dataset = dataset;
    this.regions = regions;
    this.dashboardId = dashboardId;
  }

  static async make(api: Api): Promise<Shop> {
    const dataset = await pushSales(api);
    const data = [
      ['name', 'open'],
      ['Europe', 1],
      ['Asia', 0],
      ['Africa', 1],
    ];
    const { id } = await api.create('data', {
      type: 'create',
      data,
      options: { header: true, name: { en: 'Regions' } },
    });
    const columns = await api.find('column', { where: { securable_id: id } });
    const idOf = (name: string): string =>
      text(
        columns.find((row) => row['source_name'] === name),
        'id',
      );
    await api.associate('column', dataset.columns.region, 'Joins', idOf('name'), { type: 'lookup' });
    const on = (name: 'region' | 'revenue', more: JsonObject = {}): JsonObject => inSlot(dataset, name, more);
    const columnsOfTable = [on('region'), on('revenue', { aggregationFunc: 'none' })];
    const table = item('Rows', 'regular-table', [slot('columns', ...columnsOfTable)], [0, 0, 16, 18]);
    const dashboard = await api.create('dashboard', { contents: contentsOf(dataset, [table]) });
    return new Shop(api, dataset, { id, name: idOf('name'), open: idOf('open') }, dashboard.id);
  }

  /** A row filter on the sales. */
  where(column: keyof SalesDataset['columns'], value: Json, more: JsonObject = {}): JsonObject {
    const { id, columns } = this.dataset;
    return { securable_id: id, column_id: columns[column], expression: '? = ?', value, ...more };
  }

  /** A row filter on the regions, which the sales look up. */
  openRegions(more: JsonObject = {}): JsonObject {
    return { securable_id: this.regions.id, column_id: this.regions.open, expression: '? = ?', value: 1, ...more };
  }

  give(to: Somebody, properties: object, by?: Credential, id: string = this.dataset.id): Promise<JsonObject> {
    return this.api.associate('securable', id, 'Users', to.id, properties, by);
  }

  /** A member who may read the dashboard. */
  async member(properties?: object, flags: object = { flagMember: true }): Promise<Somebody> {
    const somebody = await this.api.person(flags);
    await this.give(somebody, { flagRead: true }, undefined, this.dashboardId);
    if (properties !== undefined) await this.give(somebody, properties);
    return somebody;
  }

  async group(of: Somebody, properties: object): Promise<void> {
    const { id } = await this.api.create('group', { name: { en: 'Team' } });
    await this.api.associate('group', id, 'Users', of.id);
    await this.api.associate('securable', this.dataset.id, 'Groups', id, properties);
  }

  async collection(to: Somebody, properties: object, by?: Credential): Promise<string> {
    const { id } = await this.api.create('collection', { name: { en: 'Kept' } }, by);
    await this.api.associate('securable', this.dataset.id, 'Collections', id, undefined, by);
    await this.api.associate('collection', id, 'Users', to.id, properties, by);
    return id;
  }

  /** Somebody who may add the dataset to collections, and what they are given. */
  giver(properties: object): Promise<Somebody> {
    return this.member(properties, { flagEditor: true });
  }

  async token(more: object = {}, rights = 'use', by?: Credential): Promise<Credential> {
    const access = {
      datasets: [{ id: this.dataset.id, rights }],
      dashboards: [{ id: this.dashboardId, rights: 'read' }],
    };
    return this.api.embedToken({ access, ...more }, by);
  }

  /** An owner of the organization who holds the dataset, and their API token. */
  async issuer(properties: object): Promise<{ readonly somebody: Somebody; readonly by: Credential }> {
    const somebody = await this.member(properties, { flagOwner: true });
    return { somebody, by: await this.api.apiToken(somebody.login) };
  }

  async explanation(of: JsonObject, by?: Credential, id = this.dataset.id): Promise<JsonObject> {
    const record = await this.api.ok('securable', { action: 'get', id, explain: of }, by);
    return objectOr(record['explanation']);
  }

  /** What a get of the dataset shows somebody, and the level that others of their requests prove. */
  async levelOf(by: Credential): Promise<readonly [string, string | null]> {
    const { id, columns } = this.dataset;
    const got = await this.api.call('dataset', { action: 'get', id }, by);
    const isRecord = got.status === 200 && part(got.body, 'cache') !== null;
    const sees = isRecord ? 'record' : got.status === 200 ? 'outline' : 'nothing';
    const formula = { securable_id: id, expression: `sum({${columns.revenue}})` };
    const proofs = [
      ['own', 'dataset', { action: 'validate', id, properties: { name: { en: 'Sales' } } }],
      ['modify', 'formula', { action: 'validate', properties: formula }],
    ] as const;
    for (const [right, resource, body] of proofs) {
      const { status } = await this.api.call(resource, body, by);
      if (status === 200) return [sees, right];
    }
    const query = { find: { dimensions: [{ dataset_id: id, column_id: columns.region }] }, action: 'get' };
    const { body } = await this.api.call('data', query, by);
    const isRefused = ['forbidden', 'dataset_unknown', 'credentials_invalid'].includes(
      text({ code: '', ...objectOr(body) }, 'code'),
    );
    return [sees, isRefused ? (isRecord ? 'read' : null) : 'use'];
  }

  /** Counts the rows that somebody sees: by a free query, or by that of the stored table. Otherwise the refusal. */
  async rowsOf(by: Credential): Promise<{ readonly use: Json; readonly read: Json }> {
    const { id, columns } = this.dataset;
    const free = { measures: [{ dataset_id: id, column_id: '*' }] };
    const stored = {
      dashboard_id: this.dashboardId,
      item_id: 'Rows',
      dimensions: [{ dataset_id: id, column_id: columns.region }],
      measures: [{ dataset_id: id, column_id: columns.revenue }],
      options: { rollup_data: false },
    };
    const [counted, listed] = await Promise.all(
      [free, stored].map((find) => this.api.call('data', { action: 'get', find }, by)),
    );
    const [row = null] = dataOf(counted?.body);
    return {
      use: counted?.status === 200 ? (isList(row) ? (row[0] ?? null) : null) : text(counted?.body, 'code'),
      read: listed?.status === 200 ? dataOf(listed.body).length : text(listed?.body, 'code'),
    };
  }
}

type Situation = (shop: Shop) => Promise<Person>;

const givenTo =
  (properties: object): Situation =>
  async (shop) =>
    person(await shop.member(properties));

/** Every way to more or less of the dataset. Each is made from nothing, and explained before and by real requests. */
const situations: Readonly<Record<string, Situation>> = {
  'a member without any right': async (shop) => person(await shop.member()),
  'a reader': givenTo({ flagRead: true }),
  'a user': givenTo({ flagUse: true }),
  'a modifier': givenTo({ flagModify: true }),
  'an owner': givenTo({ flagOwner: true }),
  'an admin': async (shop) => person(await shop.member(undefined, { flagAdmin: true })),
  'an owner of the organization': async (shop) => person(await shop.member(undefined, { flagOwner: true })),
  'an owner in a suborganization': async (shop) => {
    const somebody = await shop.api.person({ flagOwner: true }, { suborganization: 'North' });
    return person(somebody);
  },
  'a group': async (shop) => {
    const somebody = await shop.member();
    await shop.group(somebody, { flagUse: true });
    return person(somebody);
  },
  'two links, of which the higher counts': async (shop) => {
    const somebody = await shop.member({ flagRead: true });
    await shop.group(somebody, { flagModify: true });
    return person(somebody);
  },
  'a collection': async (shop) => {
    const somebody = await shop.member();
    await shop.collection(somebody, { flagUse: true });
    return person(somebody);
  },
  'a collection filled by a reader': async (shop) => {
    const [somebody, giver] = [await shop.member(), await shop.giver({ flagRead: true })];
    await shop.collection(somebody, { flagModify: true }, giver.login);
    return person(somebody);
  },
  'a collection whose giver has lost the dataset': async (shop) => {
    const [somebody, giver] = [await shop.member(), await shop.giver({ flagUse: true })];
    await shop.collection(somebody, { flagUse: true }, giver.login);
    await shop.api.dissociate('securable', shop.dataset.id, 'Users', giver.id);
    return person(somebody);
  },
  'a filter on the link': async (shop) => givenTo({ flagUse: true, filters: [shop.where('region', 'Asia')] })(shop),
  'a filter on the link of a reader': async (shop) =>
    givenTo({ flagRead: true, filters: [shop.where('region', 'Asia')] })(shop),
  'a filter that no row meets': async (shop) =>
    givenTo({ flagUse: true, filters: [shop.where('region', 'Nowhere')] })(shop),
  'two filters on one link': async (shop) =>
    givenTo({ flagUse: true, filters: [shop.where('region', 'Asia'), shop.where('product', 'Bread')] })(shop),
  'a filter on the link and one on a group': async (shop) => {
    const somebody = await shop.member({ flagUse: true, filters: [shop.where('region', 'Asia')] });
    await shop.group(somebody, { flagUse: true, filters: [shop.where('product', 'Bread')] });
    return person(somebody);
  },
  'a filter on a collection': async (shop) => {
    const somebody = await shop.member();
    await shop.collection(somebody, { flagUse: true, filters: [shop.where('product', 'Cheese')] });
    return person(somebody);
  },
  'a giver whom a filter bounds': async (shop) => {
    const giver = await shop.giver({ flagUse: true, filters: [shop.where('region', 'Asia')] });
    const somebody = await shop.member();
    await shop.collection(somebody, { flagUse: true }, giver.login);
    return person(somebody);
  },
  'two givers whom different filters bound': async (shop) => {
    const somebody = await shop.member();
    for (const region of ['Asia', 'Africa']) {
      const giver = await shop.giver({ flagUse: true, filters: [shop.where('region', region)] });
      await shop.collection(somebody, { flagUse: true }, giver.login);
    }
    return person(somebody);
  },
  'a giver whom a filter bounds, and a filter of one’s own': async (shop) => {
    const giver = await shop.giver({ flagUse: true, filters: [shop.where('region', 'Asia')] });
    const somebody = await shop.member();
    await shop.collection(somebody, { flagUse: true, filters: [shop.where('product', 'Bread')] }, giver.login);
    return person(somebody);
  },
  'an owner whom a filter bounded when they gave it': async (shop) => {
    const giver = await shop.giver({ flagOwner: true, filters: [shop.where('region', 'Asia')] });
    const somebody = await shop.member();
    await shop.give(somebody, { flagUse: true }, giver.login);
    return person(somebody);
  },
  'a filter with a value of another type than its column': async (shop) =>
    givenTo({ flagUse: true, filters: [shop.where('revenue', 'much')] })(shop),
  'a filter by a parameter that a person cannot have': async (shop) => {
    const value = { parameter: 'metadata.region', type: 'hierarchy' };
    return givenTo({ flagUse: true, filters: [shop.where('region', { ...value, value: null })] })(shop);
  },
  'a filter by a parameter with a default': async (shop) => {
    const value = { parameter: 'metadata.region', type: 'hierarchy', value: 'Asia' };
    return givenTo({ flagUse: true, filters: [shop.where('region', value)] })(shop);
  },
  'a filter on a dataset that is looked up': async (shop) => {
    const somebody = await shop.member({ flagUse: true });
    const filters = [shop.openRegions()];
    await shop.give(somebody, { flagUse: true, filters }, undefined, shop.regions.id);
    return person(somebody);
  },
  'a filter on a dataset that is looked up, without propagation': async (shop) => {
    const somebody = await shop.member({ flagUse: true });
    const filters = [shop.openRegions({ propagate: false })];
    await shop.give(somebody, { flagUse: true, filters }, undefined, shop.regions.id);
    return person(somebody);
  },
  'filters that are no row filters': async (shop) => {
    const filters = [shop.where('region', 'Asia', { origin: 'chart', chart_id: 'Other' })];
    return givenTo({ flagUse: true, filters })(shop);
  },
  'a person who left the organization': async (shop) => {
    const somebody = await shop.member({ flagOwner: true });
    await shop.api.dissociate('organization', shop.api.organizationId, 'Users', somebody.id);
    return person(somebody);
  },
  'a login': async (shop) =>
    token((await shop.member({ flagUse: true, filters: [shop.where('region', 'Asia')] })).login),
  'a token': async (shop) => token(await shop.token()),
  'a token that reads': async (shop) => token(await shop.token({}, 'read')),
  'a token of a designer': async (shop) => token(await shop.token({ role: 'designer' }, 'modify')),
  'a token of an owner': async (shop) => token(await shop.token({ role: 'owner' }, 'own')),
  'a token with filters': async (shop) =>
    token(await shop.token({ filters: [shop.where('region', 'Asia'), shop.where('product', 'Bread')] })),
  'a token with a filter on a dataset that is looked up': async (shop) =>
    token(await shop.token({ filters: [shop.openRegions()] })),
  'a token with the value of a parameter': async (shop) => {
    const filters = [shop.where('region', { parameter: 'metadata.region', type: 'hierarchy', value: null })];
    return token(await shop.token({ filters, metadata: { region: 'Africa' } }));
  },
  'a token with a sensitive value of a parameter': async (shop) => {
    const filters = [shop.where('region', { parameter: 'metadata.region', type: 'hierarchy', value: null })];
    const parameter_overrides = { 'metadata.region': { value: 'Africa', sensitive: true } };
    return token(await shop.token({ filters, parameter_overrides }));
  },
  'a token whose parameter is cleared': async (shop) => {
    const filters = [shop.where('region', { parameter: 'metadata.region', type: 'hierarchy', value: null })];
    return token(await shop.token({ filters, parameter_overrides: { 'metadata.region': { clear: true } } }));
  },
  'a token with a hidden column': async (shop) =>
    token(await shop.token({ hidden_columns: [shop.dataset.columns.quantity] })),
  'a token without the features of free queries': async (shop) =>
    token(await shop.token({ feature_overrides: ['!drill'], filters: [shop.where('region', 'Asia')] })),
  'a token that may not open dashboards': async (shop) =>
    token(await shop.token({ feature_overrides: ['!view'], filters: [shop.where('region', 'Asia')] })),
  'a token through a collection': async (shop) => {
    const { id } = await shop.api.create('collection', { name: { en: 'Kept' } });
    await shop.api.associate('securable', shop.dataset.id, 'Collections', id);
    const access = {
      collections: [{ id, inheritRights: 'use' }],
      dashboards: [{ id: shop.dashboardId, rights: 'read' }],
    };
    return token(await shop.api.embedToken({ access }));
  },
  'a token of an integration': async (shop) => {
    const { id } = await shop.api.create('integration', { name: { en: 'Portal' } });
    const filters = [shop.where('region', 'Asia')];
    await shop.api.associate('securable', shop.dataset.id, 'Integrations', id, { flagUse: true, filters });
    const access = { dashboards: [{ id: shop.dashboardId, rights: 'read' }] };
    return token(await shop.api.embedToken({ integration_id: id, access }));
  },
  'a token whose issuer is bounded by a filter': async (shop) => {
    const { by } = await shop.issuer({ flagUse: true, filters: [shop.where('region', 'Asia')] });
    return token(await shop.token({ filters: [shop.where('product', 'Bread')] }, 'use', by));
  },
  'a token whose issuer holds less now': async (shop) => {
    const { somebody, by } = await shop.issuer({ flagUse: true });
    const made = await shop.token({}, 'use', by);
    await shop.give(somebody, { flagRead: true, flagUse: false });
    return token(made);
  },
  'a token whose issuer holds nothing now': async (shop) => {
    const { somebody, by } = await shop.issuer({ flagUse: true });
    const made = await shop.token({}, 'use', by);
    await shop.api.dissociate('securable', shop.dataset.id, 'Users', somebody.id);
    return token(made);
  },
  'a token whose issuer has it by a giver whom a filter bounds': async (shop) => {
    const giver = await shop.giver({ flagUse: true, filters: [shop.where('region', 'Asia')] });
    const { somebody, by } = await shop.issuer({ flagRead: true });
    await shop.api.dissociate('securable', shop.dataset.id, 'Users', somebody.id);
    await shop.collection(somebody, { flagUse: true }, giver.login);
    return token(await shop.token({}, 'use', by));
  },
  'a token under an embed filter group': async (shop) => {
    const { id } = await shop.api.create('embedfiltergroup', { name: { en: 'Asia alone' } });
    const filters = [shop.where('region', 'Asia')];
    await shop.api.associate('securable', shop.dataset.id, 'EmbedFilterGroups', id, { filters });
    return token(await shop.token({ filters: [shop.where('product', 'Bread')] }));
  },
};

describe.each(storesToTest)('explanations on %s', (store) => {
  const api = useApi(store);
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.make(api);
  });

  it.each(Object.entries(situations))('say what is really seen: %s', async (_name, situation) => {
    const { explain, by } = await situation(shop);
    const said = await shop.explanation(explain);
    const [[sees, level], seen] = await Promise.all([shop.levelOf(by), shop.rowsOf(by)]);
    expect([said['sees'], said['level']]).toEqual([sees, level]);
    // Values that only rows have.
    for (const value of ['Europe', 'Dates']) expect(JSON.stringify(said)).not.toContain(value);
    const { right, visible, problem } = objectOr(said['rows']);
    if (level === null) return expect([said['rows'], typeof seen.use]).toEqual([null, 'string']);
    const really = right === 'use' ? seen.use : seen.read;
    if (typeof really === 'string') return expect([part(problem, 'code'), visible]).toEqual([really, 0]);
    expect([problem, visible]).toEqual([null, really]);
    const counts = stepsOf(said);
    expect(counts).toEqual(counts.toSorted((one, other) => other - one));
    return expect([counts[0], counts.at(-1)]).toEqual([sales.length, visible]);
  });

  it('name every way with its giver, and what it opens', async () => {
    const giver = await shop.giver({ flagUse: true, filters: [shop.where('region', 'Asia')] });
    const somebody = await shop.member({ flagRead: true });
    const collectionId = await shop.collection(somebody, { flagModify: true }, giver.login);
    const left = await shop.giver({ flagUse: true });
    await shop.collection(somebody, { flagUse: true }, left.login);
    await api.dissociate('securable', shop.dataset.id, 'Users', left.id);
    const { paths, paths_count } = await shop.explanation({ user_id: somebody.id });
    const shown = listIn(paths).map((path) => [
      path['type'],
      part(path['collection'], 'id'),
      part(path['giver'], 'id'),
      path['linked_level'],
      path['level'],
      path['rows'],
    ]);
    expect(paths_count).toBe(3);
    expect(shown).toEqual([
      ['collection', collectionId, giver.id, 'use', 'use', 'filtered'],
      ['user', undefined, undefined, 'read', 'read', null],
      ['collection', expect.anything(), left.id, 'use', null, null],
    ]);
    expect(JSON.stringify(listIn(paths)[0]?.['any_of'])).toContain('"value":"Asia"');
  });

  it('say where each filter comes from, and how many rows it leaves', async () => {
    const somebody = await shop.member({ flagUse: true, filters: [shop.where('region', 'Asia')] });
    await shop.group(somebody, { flagUse: true, filters: [shop.where('product', 'Bread')] });
    await shop.collection(somebody, { flagUse: true, filters: [shop.where('quantity', 1)] });
    const { rows } = await shop.explanation({ user_id: somebody.id });
    const left = (is: (sale: (typeof sales)[number]) => boolean): number => sales.filter(is).length;
    const steps = listIn(objectOr(rows)['filters']).map(({ filter, rows: count }) => [
      part(part(filter, 'from'), 'type'),
      part(part(filter, 'via'), 'type'),
      part(filter, 'value'),
      count,
    ]);
    expect(steps).toEqual([
      ['user', 'securable', 'Asia', left(({ region }) => region === 'Asia')],
      ['group', 'securable', 'Bread', left(({ region, product }) => region === 'Asia' && product === 'Bread')],
      [
        'user',
        'collection',
        1,
        left(({ region, product, quantity }) => region === 'Asia' && product === 'Bread' && quantity === 1),
      ],
    ]);
  });

  it('show the parameter of a sensitive value, not the value', async () => {
    const { explain } = await (situations['a token with a sensitive value of a parameter'] ?? fail)(shop);
    const said = await shop.explanation(explain);
    const [step] = listIn(objectOr(said['rows'])['filters']);
    expect(step?.['filter']).toMatchObject({ parameter: 'metadata.region', value: null, shown: true });
    expect(JSON.stringify(said)).not.toContain('Africa');
  });

  it('name the columns that a token does not have', async () => {
    const by = await shop.token({ hidden_columns: [shop.dataset.columns.quantity] });
    const { hidden_columns } = await shop.explanation({ authorization_id: by.key });
    expect(listIn(hidden_columns).map(({ id }) => id)).toEqual([shop.dataset.columns.quantity]);
  });

  describe('of a dashboard', () => {
    it('have each of its datasets', async () => {
      const somebody = await shop.member({ flagUse: true, filters: [shop.where('region', 'Asia')] });
      const said = await shop.explanation({ user_id: somebody.id }, undefined, shop.dashboardId);
      const { visible } = objectOr((await shop.explanation({ user_id: somebody.id }))['rows']);
      expect([said['sees'], said['level'], said['rows']]).toEqual(['record', 'read', null]);
      const datasets = listIn(said['datasets']).map(({ id, level, rows }) => [id, level, part(rows, 'visible')]);
      expect(datasets).toEqual([[shop.dataset.id, 'use', visible]]);
    });

    it('only name datasets that its owner does not own, if they are seen', async () => {
      const owner = await api.person({ flagMember: true });
      const somebody = await shop.member({ flagUse: true });
      await shop.give(owner, { flagOwner: true }, undefined, shop.dashboardId);
      const datasets = async (): Promise<readonly JsonObject[]> =>
        listIn((await shop.explanation({ user_id: somebody.id }, owner.login, shop.dashboardId))['datasets']);
      const nothing = { explained: false, level: null, bounds: [], paths: [], rows: null, hidden_columns: [] };
      expect(await datasets()).toMatchObject([{ id: null, name: null, ...nothing }]);
      await shop.give(owner, { flagModify: true });
      expect(await datasets()).toMatchObject([{ id: shop.dataset.id, name: { en: 'Sales' }, ...nothing }]);
    });

    it('say that a token has no version of it, and what its features hide', async () => {
      const production = await shop.token({ environment: 'production' });
      const blind = await shop.token({ feature_overrides: ['!view'] });
      for (const by of [production, blind]) {
        const said = await shop.explanation({ authorization_id: by.key }, undefined, shop.dashboardId);
        const got = await api.refused('dashboard', { action: 'get', id: shop.dashboardId }, by);
        expect([said['sees'], part(said['problem'], 'code')]).toEqual(['nothing', got.code]);
      }
      const { bounds } = await shop.explanation({ authorization_id: production.key }, undefined, shop.dashboardId);
      expect(bounds).toContainEqual({ by: 'environment', level: null });
    });
  });

  it('name the end user whose tokens own what one of them made', async () => {
    const designer = { username: 'eve', suborganization: 'a', role: 'designer' };
    const made = await api.create('dashboard', { name: { en: 'Mine' } }, await api.embedToken(designer));
    const again = await api.embedToken({ ...designer, role: 'viewer' });
    const said = await shop.explanation({ authorization_id: again.key }, undefined, made.id);
    expect([said['sees'], said['level']]).toEqual(['record', 'use']);
    const [path] = listIn(said['paths']).filter(({ party }) => party === 'subject');
    expect(path).toMatchObject({ type: 'end_user', to: null, linked_level: 'own', level: 'own' });
    const other = await api.embedToken({ ...designer, username: 'mallory' });
    expect((await shop.explanation({ authorization_id: other.key }, undefined, made.id))['level']).toBeNull();
  });

  it('are for owners of the record and of the organization alone', async () => {
    const { id } = shop.dataset;
    const somebody = await shop.member({ flagUse: true });
    const ask = { action: 'get', id, explain: { user_id: somebody.id } };
    const refusal = async (by: Credential): Promise<readonly [number, string]> => {
      const { status, code } = await api.refused('securable', ask, by);
      return [status, code];
    };
    for (const properties of [{ flagRead: true }, { flagUse: true }, { flagModify: true }])
      expect(await refusal((await shop.member(properties, { flagEditor: true })).login)).toEqual([403, 'forbidden']);
    expect(await refusal((await shop.member()).login)).toEqual([404, 'not_found']);
    expect(await refusal((await api.stranger()).login)).toEqual([404, 'not_found']);
    expect(await refusal(await shop.token())).toEqual([403, 'forbidden']);
    expect(await refusal(await shop.token({ role: 'owner' }, 'own'))).toEqual([403, 'forbidden']);
    const north = await api.person({ flagOwner: true }, { suborganization: 'North' });
    expect(await refusal(north.login)).toEqual([404, 'not_found']);
    const owners = [
      await shop.member({ flagOwner: true }),
      await shop.member(undefined, { flagOwner: true }),
      await shop.member(undefined, { flagAdmin: true }),
    ];
    for (const { login } of owners) expect((await shop.explanation(ask.explain, login))['level']).toBe('use');
  });

  it('are of people and tokens that the caller may see', async () => {
    const north = await api.person({ flagMember: true }, { suborganization: 'North' });
    await shop.give(north, { flagOwner: true });
    const south = await api.person({ flagMember: true }, { suborganization: 'South' });
    const stranger = await api.stranger();
    const unseen = [
      [{ user_id: stranger.id }, api.owner],
      [{ authorization_id: stranger.login.key }, api.owner],
      [{ user_id: '01890a5d-ac96-774b-bcce-b302099a8057' }, api.owner],
      [{ authorization_id: (await shop.member()).id }, api.owner],
      [{ user_id: south.id }, north.login],
      [{ authorization_id: (await shop.token()).key }, north.login],
    ] as const;
    for (const [explain, by] of unseen) {
      const ask = { action: 'get', id: shop.dataset.id, explain };
      const place = `explain.${Object.keys(explain)[0]}`;
      expect(await api.refused('dataset', ask, by)).toMatchObject({
        status: 400,
        code: 'reference_unknown',
        validation: { [place]: [expect.stringContaining('or you may not see it')] },
      });
    }
    expect((await shop.explanation({ user_id: north.id }, north.login))['level']).toBe('own');
  });

  it('tell an owner whom a row filter bounds no numbers, and no filters of links that they may not see', async () => {
    const bounded = await shop.member({ flagOwner: true, filters: [shop.where('region', 'Asia')] });
    const owner = await shop.member({ flagOwner: true });
    const somebody = await shop.member();
    await shop.collection(somebody, { flagUse: true, filters: [shop.where('product', 'Cheese')] });
    const byBounded = objectOr((await shop.explanation({ user_id: somebody.id }, bounded.login))['rows']);
    expect(byBounded).toMatchObject({ total: null, visible: null, counted: false, filters: [{ rows: null }] });
    const said = await shop.explanation({ user_id: somebody.id }, owner.login);
    expect(said['rows']).toMatchObject({ total: 360, visible: 90, counted: true });
    const [step] = listIn(objectOr(said['rows'])['filters']);
    const hidden = { shown: false, column: null, expression: null, parameter: null, value: null };
    expect(step?.['filter']).toMatchObject({ ...hidden, via: { type: 'collection', id: null, name: null } });
    expect(JSON.stringify(said)).not.toContain('Cheese');
  });

  it('refuse what is no question, with its place', async () => {
    const { id } = shop.dataset;
    const user_id = api.userId;
    const asks: readonly (readonly [string, object, string])[] = [
      ['dataset', { action: 'get', id, explain: 'me' }, 'explain'],
      ['dataset', { action: 'get', id, explain: [user_id] }, 'explain'],
      ['dataset', { action: 'get', id, explain: {} }, 'explain'],
      ['dataset', { action: 'get', id, explain: { user_id: null } }, 'explain'],
      ['dataset', { action: 'get', id, explain: { user_id, authorization_id: user_id } }, 'explain'],
      ['dataset', { action: 'get', id, explain: { user_id: 'ada' } }, 'explain.user_id'],
      ['dataset', { action: 'get', id, explain: { authorization_id: 5 } }, 'explain.authorization_id'],
      ['dataset', { action: 'get', id, explain: { user_id, group_id: user_id } }, 'explain.group_id'],
      ['dataset', { action: 'get', find: {}, explain: { user_id } }, 'explain'],
      ['dataset', { action: 'get', id, find: { include: [] }, explain: { user_id } }, 'find.include'],
      ['dataset', { action: 'get', id, find: { explain: { user_id } } }, 'find.explain'],
      ['dataset', { action: 'update', id, properties: {}, explain: { user_id } }, 'explain'],
      ['dataset', { action: 'delete', id, explain: { user_id } }, 'explain'],
      ['user', { action: 'get', id: user_id, explain: { user_id } }, 'explain'],
      ['data', { action: 'get', find: {}, explain: { user_id } }, 'explain'],
    ];
    for (const [resource, body, place] of asks) {
      const { status, validation } = await api.refused(resource, body);
      expect([resource, body, status, Object.keys(validation)]).toEqual([resource, body, 400, [place]]);
    }
  });
});

/** The rows of every dataset of this service wait for a database that accepts connections and says nothing. */
describe.each(storesToTest)('explanations over a database that does not answer, on %s', (store) => {
  const api = useApi(store, { INLAY_QUERY_TIMEOUT_S: '3', INLAY_ALLOW_PRIVATE_HOSTS: 'true' });
  const silent = createServer(() => undefined);
  beforeAll(async () => {
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
  });
  afterAll(() => {
    silent.close();
  });

  it('have everything but the rows, in time', async () => {
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    for (const [at, code] of [
      [port, 'deadline_passed'],
      [1, 'source_failed'],
    ] as const) {
      const connection = {
        provider: 'postgresql',
        host: '127.0.0.1',
        port: String(at),
        scope: 'a',
        identifier: 'b',
        token: 'c',
      };
      const account = await api.create('account', connection);
      const dataset = await api.create('dataset', {
        account_id: account.id,
        source_dataset: 'public.sales',
        name: { en: 'Far' },
      });
      const column = await api.create('column', {
        securable_id: dataset.id,
        source_name: 'region',
        type: 'hierarchy',
        name: { en: 'Region' },
      });
      const somebody = await api.person({ flagMember: true });
      const filters = [{ securable_id: dataset.id, column_id: column.id, expression: '? = ?', value: 'Asia' }];
      await api.associate('securable', dataset.id, 'Users', somebody.id, { flagUse: true });
      await api.associate('account', account.id, 'Users', somebody.id, { flagRead: true, filters });
      const { explanation } = await api.ok('dataset', {
        action: 'get',
        id: dataset.id,
        explain: { user_id: somebody.id },
      });
      expect(explanation).toMatchObject({
        level: 'use',
        paths: [{ type: 'user', level: 'use' }],
        rows: {
          total: null,
          visible: null,
          problem: { code },
          filters: [{ rows: null, filter: { value: 'Asia', via: { type: 'account', id: account.id } } }],
        },
      });
    }
  });
});
