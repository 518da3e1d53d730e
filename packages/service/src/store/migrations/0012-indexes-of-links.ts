import type { Migration } from '../migrate.ts';

/**
 * A record may have links to a million tokens. These indexes find its collections and row filters without scanning the
 * links to tokens.
 */
export const indexesOfLinks: Migration = {
  id: 12,
  name: 'indexes of links',
  statements: () => [
    // Matches the condition of `isCollected`. If the index contained `association = …`, SQLite would prepare each
    // statement with `association = ?` again for each other value.
    `create index link__collections__index on link (first_id, level, giver_id)
      where (association || '') = 'securable.Collections'`,
    'create index link__filters__index on link (association, first_id) where properties is not null',
  ],
};
