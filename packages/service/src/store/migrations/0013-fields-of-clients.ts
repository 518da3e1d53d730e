import { codeId } from '../code-id.ts';
import type { Migration } from '../migrate.ts';
import type { DialectName } from './record-table.ts';

const drafts = { column: 'securable_id', formula: 'securable_id', hierarchylevel: 'column_id' } as const;

/** Columns, formulas and levels may be created before they get a parent. Until then they belong to their creator. */
const creatorsOfDrafts = Object.entries(drafts).flatMap(([table, parent]) => [
  `alter table "${table}" add column "creator_id" text`,
  `create index "${table}__creator_id__index" on "${table}" ("creator_id") where "creator_id" is not null`,
  `create index "${table}__drafts__index" on "${table}" ("created_at") where "${parent}" is null`,
]);

const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
const pairs = letters.flatMap((first) => letters.map((second) => first + second));

/** For records whose id is a code: moves the code to the new column `code`, and makes the id a UUID. */
function idsOfCodes(table: string, codes: readonly string[]): readonly string[] {
  const cases = codes.map((code) => `when '${code}' then '${codeId(code)}'`).join(' ');
  return [
    `alter table "${table}" add column "code" text`,
    `update "${table}" set code = id`,
    `update "${table}" set id = case code ${cases} else id end`,
    `update "${table}" set record = replace(record, '"id":"' || code || '"', '"id":"' || id || '","code":"' || code || '"')`,
    `create index "${table}__code__index" on "${table}" ("code")`,
  ];
}

const jsonOf = (dialect: DialectName): string => (dialect === 'sqlite' ? 'record' : 'record::json');

/**
 * In references, replaces codes by ids. Replacing text in a record is safe, since quotes within JSON strings are
 * escaped.
 */
function idsInRecords(dialect: DialectName, table: string, member: string, of: string): string {
  const code = `(${jsonOf(dialect)} ->> '${member}')`;
  const codeMember = `'"${member}":"' || ${code} || '"'`;
  const idMember = `'"${member}":"' || (select c.id from "${of}" c where c.code = ${code}) || '"'`;
  return `update "${table}" set record = replace(record, ${codeMember}, ${idMember}) where ${code} in (select c.code from "${of}" c)`;
}

/** Tables whose records got new fields, which the service fills in when it reads a record. */
const completed = ['securable', 'column', 'tag', 'authorization'] as const;

/** Adds fields that clients of this API use, allows records without a parent, and gives locales and countries UUIDs. */
export const fieldsOfClients: Migration = {
  id: 13,
  name: 'fields of clients',
  statements: (dialect) => [
    ...creatorsOfDrafts,
    'alter table "securable" add column "slug" text',
    'create unique index "securable__slug__unique" on "securable" (organization_id, "slug") where "slug" is not null',
    'alter table "securable" add column "acceleration_id" text',
    'create index "securable__acceleration_id__index" on "securable" ("acceleration_id") where "acceleration_id" is not null',
    'alter table "authorization" add column "integration_id" text',
    'create index "authorization__integration_id__index" on "authorization" ("integration_id") where "integration_id" is not null',
    'alter table "authorization" add column "ip" text',
    'alter table "authorization" add column "environment" text',
    'alter table "dashboardversion" add column "environment" text',
    `update "dashboardversion" set environment = ${jsonOf(dialect)} ->> 'environment'`,
    `create index "dashboardversion__environment__index" on "dashboardversion" ("securable_id", "environment")
      where "environment" is not null`,
    ...idsOfCodes(
      'country',
      pairs.map((code) => code.toUpperCase()),
    ),
    ...idsOfCodes('locale', pairs),
    idsInRecords(dialect, 'organization', 'country_id', 'country'),
    idsInRecords(dialect, 'organization', 'locale_id', 'locale'),
    idsInRecords(dialect, 'user', 'locale_id', 'locale'),
    ...completed.map((table) => `update "${table}" set shape = 0`),
  ],
};
