import type { Migration } from '../migrate.ts';

const table = `create table publication (
  id text primary key,
  organization_id text not null,
  folder text not null,
  version text not null,
  place text not null,
  columns text not null,
  created_at text not null,
  ready_at text,
  dropped_at text)`;

/** Adds publications: versions of stored rows that are at the cluster as well. */
export const publications: Migration = {
  id: 24,
  name: 'publications',
  addsOnly: true,
  statements: () => [
    table,
    'create index publication_folder on publication (folder, version)',
    'create index publication_dropped on publication (dropped_at) where dropped_at is not null',
  ],
};
