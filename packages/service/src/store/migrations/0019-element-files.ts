import type { Migration } from '../migrate.ts';

/** Files of builds of the elements, which pages that are open go on to load after an upgrade. */
export const elementFiles: Migration = {
  id: 19,
  name: 'element files',
  addsOnly: true,
  statements: () => [
    'create table element_file (name text primary key, body text not null, bytes integer not null, used_at text not null)',
  ],
};
