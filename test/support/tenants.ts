import { settled } from './accelerations.ts';
import { addRollups } from './tenant-rollups.ts';
import { Api } from './api.ts';
import { freshDatabase, type Credential } from './service.ts';
import {
  columnsOf,
  fillPostgres,
  startTenantPlugin,
  tableNames,
  tenants,
  views,
  rowCount,
  writeVersion,
  type TableName,
  type Tenant,
  type View,
} from './tenant-rows.ts';
import { text } from './world.ts';

/**
 * Where the rows of a dataset are. `copied`: at the source, with an acceleration. `moved`: the same, and each tenant has a
 * database of its own, named by its token.
 */
const always = ['source', 'engine', 'plugin', 'copied', 'moved'] as const;
/** Further databases, which not every test has. */
const further = ['clickhouse', 'trino'] as const;
const held = [...always, ...further] as const;
type Held = (typeof held)[number];
/** `across`: orders at their source, customers in the engine. */
export const places = [...held, 'across'] as const;
export type Place = (typeof places)[number];

/** A further database with the tables of all views. */
export interface FurtherPlace {
  readonly place: (typeof further)[number];
  /** Fields of the account that reads it. */
  readonly account: object;
}

export interface Dataset {
  readonly id: string;
  readonly columns: ReadonlyMap<string, string>;
}

/** How a tenant is told apart, and the caller it is. */
export interface Way {
  readonly name: string;
  readonly places: readonly Place[];
  readonly credential: Readonly<Record<Tenant, Credential>>;
  /** Columns that do not exist for it. */
  readonly hidden: readonly string[];
}

export interface Tenants {
  readonly api: Api;
  readonly dataset: (place: Place, view: View, table: TableName) => Dataset;
  readonly ways: readonly Way[];
  readonly stop: () => Promise<void>;
}

const kept = { integer: 'integer', 'numeric(12,2)': 'decimal', text: 'text', timestamp: 'timestamp' } as const;
const types = { integer: 'numeric', 'numeric(12,2)': 'numeric', text: 'hierarchy', timestamp: 'datetime' } as const;

async function columnsAt(api: Api, id: string): Promise<ReadonlyMap<string, string>> {
  const rows = await api.find('column', { where: { securable_id: id } });
  return new Map(rows.map((row) => [text(row, 'source_name'), text(row, 'id')]));
}

async function fromAccount(api: Api, accountId: string, table: string): Promise<Dataset> {
  const made = await api.ok('dataprovider', { properties: { account_id: accountId, datasets: [table] } });
  const rows: unknown = made['rows'];
  const id = text(Array.isArray(rows) ? rows[0] : null, 'id');
  return { id, columns: await columnsAt(api, id) };
}

async function columnar(api: Api, table: TableName, view: View): Promise<Dataset> {
  const { id } = await api.create('dataset', { name: { en: table } });
  const { store } = api.service.app.service;
  const columns = Object.entries(columnsOf(table)).map(([name, type], order) => ({
    storageType: kept[type],
    empty: null,
    fields: { source_name: name, name: { en: name }, type: types[type], order },
  }));
  await store.write({ kind: 'columns', securableId: id, columns, attempted: false, dueAt: null });
  await writeVersion(api.service.app.engine.versionPath(api.organizationId, id, 'v1'), table, view);
  await store.write({
    kind: 'note',
    resource: 'securable',
    id,
    fields: { data_version: 'v1', rows: rowCount(table, view) },
  });
  return { id, columns: await columnsAt(api, id) };
}

const accountAt = (url: URL, scope = url.pathname.slice(1)): object => ({
  provider: 'postgresql',
  host: url.hostname,
  port: url.port,
  scope,
  identifier: url.username,
  token: url.password === '' ? 'none' : url.password,
});

type Keyed = `${Held} ${View} ${TableName}`;

async function makeDatasets(api: Api, pluginUrl: string, others: readonly FurtherPlace[]) {
  const [main, ownA, ownB] = await Promise.all([freshDatabase(), freshDatabase(), freshDatabase()]);
  await Promise.all([fillPostgres(main, 'all'), fillPostgres(ownA, 'A'), fillPostgres(ownB, 'B')]);
  const source = await api.create('account', accountAt(new URL(main)));
  const copied = await api.create('account', accountAt(new URL(main)));
  const moved = await api.create('account', accountAt(new URL(main)));
  const plugin = await api.create('plugin', {
    slug: 'tenants',
    name: { en: 'Tenants' },
    base_url: pluginUrl,
    authorize: 'none',
  });
  const plugged = await api.create('account', { provider: 'tenants', plugin_id: plugin.id });
  const datasets = new Map<Keyed, Dataset>();
  const otherAccounts = await Promise.all(
    others.map(async ({ place, account }) => ({ place, id: (await api.create('account', account)).id })),
  );
  for (const view of views) {
    for (const table of tableNames) {
      const named = view === 'mixed' ? `public.${table}` : `public.${table}_${view.toLowerCase()}`;
      for (const { place, id } of otherAccounts)
        datasets.set(`${place} ${view} ${table}`, await fromAccount(api, id, named.replace('public.', '')));
      datasets.set(`source ${view} ${table}`, await fromAccount(api, source.id, named));
      datasets.set(`copied ${view} ${table}`, await fromAccount(api, copied.id, named));
      datasets.set(`moved ${view} ${table}`, await fromAccount(api, moved.id, named));
      datasets.set(`plugin ${view} ${table}`, await fromAccount(api, plugged.id, `${table}_${view}`));
      datasets.set(`engine ${view} ${table}`, await columnar(api, table, view));
    }
  }
  const at = (key: Keyed): Dataset => datasets.get(key) ?? { id: '', columns: new Map() };
  const made = [...always, ...others.map(({ place }) => place)];
  for (const place of made) {
    for (const view of views) {
      const [orders, customers] = [at(`${place} ${view} orders`), at(`${place} ${view} customers`)];
      await api.associate('column', orders.columns.get('customer'), 'Joins', customers.columns.get('id'));
      if (place !== 'engine') continue;
      const there = at(`source ${view} orders`).columns.get('customer');
      await api.associate('column', there, 'Joins', customers.columns.get('id'));
    }
  }
  const accelerated = (['copied', 'moved'] as const).flatMap((place) =>
    views.flatMap((view) => tableNames.map((table) => ({ place, view, table }))),
  );
  const accelerations = await Promise.all(
    accelerated.map(async ({ place, view, table }) => {
      const { id } = await api.create('acceleration', { securable_id: at(`${place} ${view} ${table}`).id });
      return { id, table };
    }),
  );
  for (const { id } of accelerations) await settled(api, id);
  await Promise.all(accelerations.map(({ id, table }) => addRollups(api, id, table)));
  const databases = { A: new URL(ownA).pathname.slice(1), B: new URL(ownB).pathname.slice(1) };
  return { at, made, movedAccount: moved.id, databases };
}

type Made = Awaited<ReturnType<typeof makeDatasets>>;

const mixed = (made: Made, among: readonly Held[]): readonly Dataset[] =>
  among.flatMap((place) => tableNames.map((table) => made.at(`${place} mixed ${table}`)));

const filterOn = ({ id, columns }: Dataset, value: unknown, expression = '? = ?'): object => ({
  clause: 'where',
  origin: 'global',
  securable_id: id,
  column_id: columns.get('tenant'),
  // Both tables have a filter of their own, and their keys are unique per tenant only.
  propagate: false,
  expression,
  value,
});

const parameter = (name: string, type = 'hierarchy'): object => ({ parameter: `metadata.${name}`, type });
const eachTenant = async <Given>(of: (tenant: Tenant) => Promise<Given>): Promise<Record<Tenant, Given>> => ({
  A: await of('A'),
  B: await of('B'),
});

async function makeWays(api: Api, made: Made): Promise<readonly Way[]> {
  const own = [...(['source', 'engine', 'copied'] as const), ...further.filter((place) => made.made.includes(place))];
  const everywhere = [...own, 'across'] as const;
  const rights = (among: readonly Held[]): object => ({
    access: { datasets: mixed(made, among).map(({ id }) => ({ id, rights: 'use' })) },
  });
  const overrides = (tenant: Tenant): object => ({
    parameter_overrides: { 'metadata.tenants': [tenant], group_tenant: tenant },
  });
  const literal = (tenant: Tenant): object[] => mixed(made, own).map((one) => filterOn(one, tenant));
  const byParameter = mixed(made, own).map((one) => filterOn(one, parameter('tenants', 'array[hierarchy]'), '? in ?'));
  const filterGroup = await api.create('embedfiltergroup', { name: { en: 'Own rows' } });
  for (const one of mixed(made, ['plugin']))
    await api.associate('securable', one.id, 'EmbedFilterGroups', filterGroup.id, {
      filters: [filterOn(one, parameter('group_tenant'))],
    });
  const hidden = mixed(made, own).flatMap(({ columns }) => columns.get('tenant') ?? []);
  // Whoever makes a group is in it, and the filters of its links then hold for the tokens they issue too.
  const keeper = await api.person({ flagEditor: true });
  for (const one of mixed(made, own)) await api.associate('securable', one.id, 'Users', keeper.id, { flagOwner: true });
  const person = async (tenant: Tenant, through: 'Users' | 'Groups'): Promise<Credential> => {
    const somebody = await api.person({ flagMember: true });
    let target = somebody.id;
    if (through === 'Groups') {
      target = (await api.create('group', { name: { en: tenant } }, keeper.login)).id;
      await api.associate('group', target, 'Users', somebody.id, { flagMember: true }, keeper.login);
    }
    for (const one of mixed(made, own)) {
      const properties = { flagUse: true, filters: [filterOn(one, tenant)] };
      await api.associate(
        'securable',
        one.id,
        through,
        target,
        properties,
        through === 'Groups' ? keeper.login : api.owner,
      );
    }
    return somebody.login;
  };
  const token = (of: (tenant: Tenant) => object) => eachTenant((tenant) => api.embedToken(of(tenant)));
  return [
    {
      name: 'filters',
      places: everywhere,
      hidden: [],
      credential: await token((t) => ({ ...rights(own), filters: literal(t) })),
    },
    {
      name: 'parameters',
      places: everywhere,
      hidden: [],
      credential: await token((t) => ({ ...rights(own), ...overrides(t), filters: byParameter })),
    },
    {
      name: 'hidden filter column',
      places: everywhere,
      hidden: ['tenant'],
      credential: await token((t) => ({ ...rights(own), filters: literal(t), hidden_columns: hidden })),
    },
    {
      name: 'filter group',
      places: ['plugin'],
      hidden: [],
      credential: await token((t) => ({ ...rights(['plugin']), ...overrides(t) })),
    },
    {
      name: 'account overrides',
      places: ['moved'],
      hidden: [],
      credential: await token((t) => ({
        ...rights(['moved']),
        account_overrides: { [made.movedAccount]: { scope: made.databases[t] } },
      })),
    },
    { name: 'user link', places: everywhere, hidden: [], credential: await eachTenant((t) => person(t, 'Users')) },
    { name: 'group link', places: everywhere, hidden: [], credential: await eachTenant((t) => person(t, 'Groups')) },
  ];
}

/**
 * Returns one organization with rows of two tenants in every place rows can be, and callers told apart in every way
 * there is.
 */
export async function startTenants(
  others: readonly FurtherPlace[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<Tenants> {
  const plugin = await startTenantPlugin();
  const api = new Api();
  await api.start('sqlite', { INLAY_ALLOW_PRIVATE_HOSTS: 'true', ...settings });
  const made = await makeDatasets(api, plugin.url, others);
  const ways = await makeWays(api, made);
  for (const place of made.made) {
    for (const table of tableNames) {
      // Kept answers, so that one tenant's could be given to the other.
      await api.update('dataset', made.at(`${place} mixed ${table}`).id, { cache: 600 });
    }
  }
  return {
    api,
    ways,
    dataset: (place, view, table) => {
      const there = place === 'across' ? (table === 'orders' ? 'source' : 'engine') : place;
      return made.at(`${there} ${view} ${table}`);
    },
    stop: async () => {
      await api.stop();
      plugin.stop();
    },
  };
}

export { tenants, type Tenant };
