import type { Migration } from '../migrate.ts';
import { withFields } from './added-fields.ts';

/** Adds the end user of embed tokens to dashboards. An earlier program would not know the owner of such dashboards. */
export const dashboardsOfEndUsers: Migration = {
  id: 29,
  name: 'dashboards of end users',
  statements: () => [
    `update "securable" set "record" = ${withFields('"record"', { suborganization: null, username: null })}`,
  ],
};
