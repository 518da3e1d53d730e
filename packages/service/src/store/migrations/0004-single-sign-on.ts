import type { Migration } from '../migrate.ts';
import { tableStatements } from './record-table.ts';

const subdomain = {
  sqlite: `json_extract(o.record, '$.subdomain')`,
  postgres: `(o.record::jsonb ->> 'subdomain')`,
} as const;

/** Adds external identities, logins by single sign-on, single-use ids, and subdomains of organizations. */
export const singleSignOn: Migration = {
  id: 4,
  name: 'single sign-on',
  statements: (dialect) => [
    ...tableStatements(dialect, 'identity', {
      columns: { user_id: 'text', binding: 'text' },
      unique: ['binding'],
      index: ['user_id'],
    }),
    'alter table "authorization" add column "identity_id" text',
    'alter table "authorization" add column "sso_sid" text',
    'create index "authorization__identity_id__index" on "authorization" ("identity_id") where "identity_id" is not null',
    'create table "sso_used" (id text primary key, until text not null)',
    'create index "sso_used__until__index" on "sso_used" (until)',
    `create table "sso_handover" (code_hash text primary key, challenge text not null, authorization_id text not null,
      until text not null)`,
    'create index "sso_handover__until__index" on "sso_handover" (until)',
    'alter table "organization" add column "subdomain" text',
    // If several organizations have the same subdomain, only the first organization keeps the subdomain.
    `update "organization" set "subdomain" = (select ${subdomain[dialect]} from "organization" o
      where o.id = "organization".id and not exists (select 1 from "organization" e where e.seq < o.seq
      and ${subdomain[dialect].replace('o.', 'e.')} = ${subdomain[dialect]}))`,
    'create unique index "organization__subdomain__unique" on "organization" ("subdomain")',
  ],
};
