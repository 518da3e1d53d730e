import type { Migration } from '../migrate.ts';

/** What was sent to an AI provider is seen by the owners of where it was asked. */
export const suborganizationOfAirequests: Migration = {
  id: 5,
  name: 'suborganization of what was sent to an AI provider',
  statements: () => ['alter table "airequest" add column "suborganization" text'],
};
