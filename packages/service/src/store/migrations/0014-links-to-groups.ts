import type { Migration } from '../migrate.ts';

/** Whoever is in very many groups is found from the groups that a record is linked to, among links to a million tokens. */
export const linksToGroups: Migration = {
  id: 14,
  name: 'links to groups',
  statements: () => [
    // In the words of `partyOf`.
    `create index link__groups__index on link ((cast(first_id as text)), association, target_id, level)
      where association in ('securable.Groups', 'account.Groups', 'collection.Groups')`,
  ],
};
