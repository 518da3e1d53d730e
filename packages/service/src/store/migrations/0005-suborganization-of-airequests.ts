import type { Migration } from '../migrate.ts';

/** Adds the suborganization to AI requests, since owners of the suborganization may see them. */
export const suborganizationOfAirequests: Migration = {
  id: 5,
  name: 'suborganization of what was sent to an AI provider',
  statements: () => ['alter table "airequest" add column "suborganization" text'],
};
