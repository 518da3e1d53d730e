import type { Migration } from '../migrate.ts';

/** A record may have a link for each of a million tokens: its collections and row filters are found without looking at those. */
export const indexesOfLinks: Migration = {
  id: 12,
  name: 'indexes of links',
  statements: () => [
    // As `isCollected` asks: where the index said `association = …`, SQLite would prepare each statement with
    // `association = ?` again for other values.
    `create index link__collections__index on link (first_id, level, giver_id)
      where (association || '') = 'securable.Collections'`,
    'create index link__filters__index on link (association, first_id) where properties is not null',
  ],
};
