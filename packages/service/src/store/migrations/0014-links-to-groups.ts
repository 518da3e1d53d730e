import type { Migration } from '../migrate.ts';

/**
 * For a person in very many groups, finds the groups that a record is linked to among its links to a million tokens.
 */
export const linksToGroups: Migration = {
  id: 14,
  name: 'links to groups',
  statements: () => [
    // Matches the condition of `partyOf`.
    `create index link__groups__index on link ((cast(first_id as text)), association, target_id, level)
      where association in ('securable.Groups', 'account.Groups', 'collection.Groups')`,
  ],
};
