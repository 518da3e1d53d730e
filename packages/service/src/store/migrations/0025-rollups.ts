import type { Migration } from '../migrate.ts';

/** Adds the shapes of rollups to accelerations. */
export const rollups: Migration = {
  id: 25,
  name: 'rollups',
  addsOnly: true,
  statements: () => ['alter table acceleration add column rollup_shapes text'],
};
