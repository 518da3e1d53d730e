import type { Migration } from '../migrate.ts';
import type { DialectName, Table } from './record-table.ts';
import { tableBesideTexts } from './text-table.ts';

export const tables: Readonly<Record<string, Table>> = {
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

const sharedTables = (dialect: DialectName): readonly string[] => {
  const withoutRowid = dialect === 'sqlite' ? ' without rowid' : '';
  return [
    `create table link (first_id text not null, target_id text not null, association text not null, level integer,
      properties text, created_at text, primary key (first_id, target_id, association))${withoutRowid}`,
    'create index link__target__index on link (target_id, association, first_id)',
    `create table idempotency (scope text not null, key text not null, fingerprint text not null,
      answer text not null, secret_key text, created_at text not null, primary key (scope, key))${withoutRowid}`,
    'create index idempotency__created_at__index on idempotency (created_at)',
    `create table setting (name text not null primary key, value text not null)${withoutRowid}`,
  ];
};

/** Creates the tables for all resources, links, stored answers and settings. */
export const initial: Migration = {
  id: 1,
  name: 'initial',
  statements: (dialect) => [
    ...Object.entries(tables).flatMap(([name, table]) => tableBesideTexts(dialect, name, table)),
    ...sharedTables(dialect),
  ],
};
