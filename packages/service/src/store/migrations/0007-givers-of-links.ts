import type { Migration } from '../migrate.ts';

const ownerOfCollection = `(select o.target_id from link o where o.first_id = link.target_id
  and o.association = 'collection.Users' and o.level >= 4
  order by o.created_at desc, o.target_id desc limit 1)`;

/**
 * Stores who granted a link, since the link gives no more access than the giver has. `giver_id` is null if an owner of
 * the record made the link; `given` then has the row filters of the owner at that time. For existing links to a
 * collection, the giver is the owner of the collection.
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
