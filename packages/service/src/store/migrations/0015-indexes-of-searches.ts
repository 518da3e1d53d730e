import type { Dialect } from '../dialect.ts';
import type { Migration } from '../migrate.ts';
import { recordLast } from './0006-text-in-its-row.ts';
import { textColumn, textColumns, textIndexes } from '../text-columns.ts';

/** Folds text to lower case without accents, in the way that each store used at the time of this migration. */
const foldedEmail = {
  sqlite: 'fold(email)',
  postgres: `lower(regexp_replace(normalize((email)::text, NFD),
    '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]', '', 'g') collate "default")`,
} as const;

/** Adds email addresses to the indexed folded text. Before, searches scanned the addresses. */
function searchedAddresses(dialect: Dialect['name']): readonly string[] {
  const rebuilt = [
    'drop trigger "user__text_update"',
    'drop trigger "user__text_delete"',
    'drop table "user_text_index"',
  ];
  return [
    ...textColumns('user', ['email']),
    `update "user" set ${textColumn('email')} = ${foldedEmail[dialect]}`,
    ...(dialect === 'sqlite'
      ? [...rebuilt, ...recordLast('user'), `delete from text_indexed where text_table = 'user'`]
      : []),
    ...textIndexes(dialect, 'user', dialect === 'sqlite' ? ['name', 'email'] : ['email']),
  ];
}

/** Returns an index that pages through the records with the same value of a column, in order of id. */
const pages = (table: string, column: string): string =>
  `create index "${table}__${column}__page" on "${table}" (organization_id, "${column}", id) where "${column}" is not null`;

/** Indexes for searches among very many tokens, people and groups. */
export const indexesOfSearches: Migration = {
  id: 15,
  name: 'indexes of searches',
  statements: (dialect) => [
    'alter table "authorization" add column "username" text',
    `update "authorization" set username = ${dialect === 'sqlite' ? 'record' : 'record::json'} ->> 'username'
      where type = 'embed'`,
    `create index "authorization__expiry__page" on "authorization"
      (organization_id, "expiry"${dialect === 'postgres' ? ' nulls first' : ''}, id)`,
    pages('authorization', 'username'),
    pages('authorization', 'suborganization'),
    pages('user', 'suborganization'),
    pages('group', 'suborganization'),
    // A dashboard may have links to a million tokens, but only a few to datasets. Matches the condition of
    // `isDatasetOf`.
    `create index link__datasets__index on link (first_id) where (association || '') = 'securable.Datasets'`,
    // Without statistics, PostgreSQL assumes that one link in 200 is to a collection, and then reads all links of a
    // person.
    ...(dialect === 'postgres'
      ? [`create statistics link__collections__statistics on (association || '') from link`]
      : []),
    ...searchedAddresses(dialect),
  ],
};
