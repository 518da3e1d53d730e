import type { Migration } from '../migrate.ts';

/**
 * A record may have links to a million tokens, and a person may be in very many groups. This index finds the groups to
 * which the record is linked.
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
