import type { Migration } from '../migrate.ts';
import { textTable } from '../text-table.ts';

type Columns = Readonly<Record<string, 'text' | 'integer' | 'number'>>;

/** Columns beyond the standard ones; `unique` and `index` name them again. */
interface Table {
  readonly columns?: Columns;
  readonly unique?: readonly string[];
  readonly index?: readonly string[];
  /** Indexed only where they are set, so that most writes do not touch the index. */
  readonly indexWhereSet?: readonly string[];
  readonly searched?: readonly string[];
}

const tables: Readonly<Record<string, Table>> = {
  account: {
    columns: { user_id: 'text', plugin_id: 'text', provider: 'text', active: 'integer' },
    index: ['user_id'],
    indexWhereSet: ['plugin_id'],
    searched: ['name', 'description'],
  },
  securable: {
    columns: {
      type: 'text',
      subtype: 'text',
      modified_at: 'text',
      account_id: 'text',
      original_id: 'text',
      modifier_id: 'text',
      owner_id: 'text',
    },
    index: ['owner_id'],
    indexWhereSet: ['account_id', 'original_id'],
    searched: ['name', 'description', 'subtitle'],
  },
  ssoconfig: { columns: { is_verified: 'integer', disable_email_password: 'integer' }, unique: ['organization_id'] },
  theme: { searched: ['name'] },
  plugin: {
    columns: { slug: 'text', public: 'integer', reviewed: 'integer', user_id: 'text' },
    unique: ['slug'],
    index: ['user_id'],
    searched: ['name', 'description'],
  },
  organization: { columns: { theme_id: 'text' }, indexWhereSet: ['theme_id'], searched: ['name'] },
  user: {
    columns: { email: 'text', suborganization: 'text', password_hash: 'text' },
    unique: ['email'],
    searched: ['name'],
  },
  group: { columns: { suborganization: 'text' }, searched: ['name'] },
  authorization: {
    columns: {
      type: 'text',
      user_id: 'text',
      expiry: 'text',
      last_used_at: 'text',
      suborganization: 'text',
      role: 'text',
      inactivity_interval: 'number',
      hidden_columns: 'text',
      rate_limit: 'number',
      token_hash: 'text',
    },
    index: ['user_id', 'expiry'],
  },
  column: {
    columns: { securable_id: 'text', type: 'text' },
    index: ['securable_id'],
    searched: ['name', 'description'],
  },
  tag: { searched: ['name'] },
  collection: { searched: ['name'] },
  share: { columns: { securable_id: 'text', slug: 'text' }, unique: ['slug'], index: ['securable_id'] },
  integration: { searched: ['name'] },
  embedfiltergroup: { searched: ['name'] },
  schedule: { columns: { securable_id: 'text' }, index: ['securable_id'], searched: ['name'] },
  dashboardversion: { columns: { securable_id: 'text' }, index: ['securable_id'], searched: ['name'] },
  image: { columns: { user_id: 'text' }, index: ['user_id'], searched: ['name'] },
  locale: { searched: ['name'] },
  country: { searched: ['name'] },
};

type DialectName = 'sqlite' | 'postgres';
const words: Readonly<Record<DialectName, Readonly<Record<Columns[string], string>>>> = {
  sqlite: { text: 'text', integer: 'integer', number: 'real' },
  postgres: { text: 'text', integer: 'integer', number: 'double precision' },
};

function tableStatements(dialect: DialectName, name: string, table: Table): readonly string[] {
  const seq = dialect === 'sqlite' ? 'integer primary key' : 'bigint generated always as identity primary key';
  const columns = Object.entries(table.columns ?? {}).map(([column, type]) => `"${column}" ${words[dialect][type]}`);
  const standard = [
    `seq ${seq}`,
    'id text not null',
    'organization_id text',
    'created_at text',
    'updated_at text',
    'deleted_at text',
    'revision integer not null',
    'shape integer not null',
    'secrets text',
    'secret_key text',
    ...columns,
    // Last, so that a row's short columns are read without walking its long text.
    'record text not null',
  ];
  const index = (column: string, unique: boolean): string =>
    `create ${unique ? 'unique ' : ''}index "${name}__${column}__${unique ? 'unique' : 'index'}" on "${name}" ("${column}")`;
  return [
    `create table "${name}" (${standard.join(', ')})`,
    index('id', true),
    ...(table.unique ?? []).map((column) => index(column, true)),
    ...(table.index ?? []).map((column) => index(column, false)),
    ...(table.indexWhereSet ?? []).map((column) => `${index(column, false)} where "${column}" is not null`),
    `create index "${name}__organization__index" on "${name}" (organization_id, id)`,
    `create index "${name}__secret_key__index" on "${name}" (secret_key) where secret_key is not null`,
    ...(table.searched === undefined ? [] : textTable(dialect, `${name}_text`, table.searched)),
  ];
}

const shared = (dialect: DialectName): readonly string[] => {
  const without = dialect === 'sqlite' ? ' without rowid' : '';
  return [
    `create table link (first_id text not null, target_id text not null, association text not null, level integer, properties text, created_at text, primary key (first_id, target_id, association))${without}`,
    'create index link__target__index on link (target_id, association, first_id)',
    `create table idempotency (scope text not null, key text not null, fingerprint text not null, answer text not null, secret_key text, created_at text not null, primary key (scope, key))${without}`,
    'create index idempotency__created_at__index on idempotency (created_at)',
    `create table setting (name text not null primary key, value text not null)${without}`,
  ];
};

/** The first schema: a table for every resource, links, kept answers, settings. */
export const initial: Migration = {
  id: 1,
  name: 'initial',
  statements: (dialect) => [
    ...Object.entries(tables).flatMap(([name, table]) => tableStatements(dialect, name, table)),
    ...shared(dialect),
  ],
};
