import type { Migration } from '../migrate.ts';
import { sqliteTriggers } from './0020-uses-of-themes.ts';
import { withFields } from './added-fields.ts';

const table = 'dashboardversion';
const columns = ['state', 'user_id', 'suborganization', 'username', 'writer'] as const;

/** The new fields of a version: every version so far is published. */
const published = {
  state: 'published',
  based_on: null,
  inverse: null,
  steps: null,
  user_id: null,
  suborganization: null,
  username: null,
};

/** Moves the record behind the new columns. Triggers name the column, so they are created again. */
const onSqlite = [
  ...['insert', 'update', 'delete'].map((event) => `drop trigger ${table}__themes_${event}`),
  `alter table "${table}" rename column "record" to "record_before"`,
  `alter table "${table}" add column "record" text not null default ''`,
  `update "${table}" set "state" = 'published', "record" = ${withFields('"record_before"', published)}`,
  `alter table "${table}" drop column "record_before"`,
  ...sqliteTriggers(table),
];

/**
 * Adds drafts to the versions of dashboards. An earlier program would show drafts to everyone who may modify their
 * dashboard, so none may run beside this one.
 */
export const drafts: Migration = {
  id: 28,
  name: 'drafts',
  statements: (dialect) => [
    ...columns.map((column) => `alter table "${table}" add column "${column}" text`),
    ...(dialect === 'sqlite'
      ? onSqlite
      : [`update "${table}" set "state" = 'published', "record" = ${withFields('"record"', published)}`]),
    `create unique index "${table}__securable_id__writer__unique" on "${table}" ("securable_id", "writer")
      where "writer" is not null`,
    `create index "${table}__user_id__index" on "${table}" ("user_id") where "user_id" is not null`,
    `create index "${table}__drafts__index" on "${table}" ("updated_at") where "writer" is not null`,
  ],
};
