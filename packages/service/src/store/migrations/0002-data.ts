import type { Migration } from '../migrate.ts';
import type { Table } from './record-table.ts';
import { tableBesideTexts } from './text-table.ts';

export const tables: Readonly<Record<string, Table>> = {
  formula: { columns: { securable_id: 'text' }, index: ['securable_id'], searched: ['name'] },
  hierarchylevel: { columns: { column_id: 'text' }, index: ['column_id'], searched: ['name'] },
};

/**
 * Adds what data queries store: formulas, levels of hierarchies, storage types, dataset versions, due times of
 * metadata.
 */
export const data: Migration = {
  id: 2,
  name: 'data',
  statements: (dialect) => [
    ...Object.entries(tables).flatMap(([name, table]) => tableBesideTexts(dialect, name, table)),
    'alter table "column" add column "kept" text',
    'alter table "securable" add column "data_version" text',
    'alter table "securable" add column "sync_due_at" text',
    'create index "securable__sync_due_at__index" on "securable" ("sync_due_at") where "sync_due_at" is not null',
  ],
};
