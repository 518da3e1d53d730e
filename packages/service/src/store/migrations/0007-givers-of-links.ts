import type { Migration } from '../migrate.ts';

const ownerOfCollection = `(select o.target_id from link o where o.first_id = link.target_id
  and o.association = 'collection.Users' and o.level >= 4
  order by o.created_at desc, o.target_id desc limit 1)`;

/**
 * Stores who granted a link, since its access is limited to what that person has. `giver_id` is empty if an owner of
 * the record made the link; `given` has the row filters of that owner at the time. For older links to collections, the
 * giver is the owner of the collection.
 */
export const giversOfLinks: Migration = {
  id: 7,
  name: 'givers of links',
  statements: () => [
    'alter table link add column giver_id text',
    'alter table link add column given text',
    'create index link__properties__index on link (target_id) where properties is not null',
    `update link set giver_id = coalesce(${ownerOfCollection}, (select s.owner_id from securable s
      where s.id = link.first_id)) where association = 'securable.Collections'`,
  ],
};
