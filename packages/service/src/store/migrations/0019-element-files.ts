import type { Migration } from '../migrate.ts';

/** Files of the elements by build. Open pages continue to load files of an earlier build after an upgrade. */
export const elementFiles: Migration = {
  id: 19,
  name: 'element files',
  addsOnly: true,
  statements: () => [
    'create table element_file (name text primary key, body text not null, bytes integer not null, used_at text not null)',
  ],
};
