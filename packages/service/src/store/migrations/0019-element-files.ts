import type { Migration } from '../migrate.ts';

/**
 * Stores the files of the embedding elements for each build. After an upgrade, open pages continue to load the files of
 * the earlier build.
 */
export const elementFiles: Migration = {
  id: 19,
  name: 'element files',
  addsOnly: true,
  statements: () => [
    'create table element_file (name text primary key, body text not null, bytes integer not null, used_at text not null)',
  ],
};
