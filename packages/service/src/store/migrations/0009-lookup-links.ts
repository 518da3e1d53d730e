import type { Migration } from '../migrate.ts';

/**
 * `lookup_link` contains every lookup between datasets, including removed ones: row filters follow lookups, and
 * removing a lookup must not reveal rows. `hidden_of` contains the dataset of each hidden column of a token.
 * `deleted_dataset` distinguishes a filter on a deleted dataset from a filter that names no dataset.
 */
export const lookupLinks: Migration = {
  id: 9,
  name: 'lookup links',
  statements: (dialect) => {
    const withoutRowid = dialect === 'sqlite' ? ' without rowid' : '';
    const note =
      'insert into deleted_dataset (id, organization_id) values (old.id, old.organization_id) on conflict do nothing;';
    const trigger =
      dialect === 'sqlite'
        ? [`create trigger securable__deleted after delete on securable when old.type = 'dataset' begin ${note} end`]
        : [
            `create function note_deleted_dataset() returns trigger language plpgsql as $$ begin ${note} return old; end $$`,
            `create trigger securable__deleted after delete on securable for each row when (old.type = 'dataset')
              execute function note_deleted_dataset()`,
          ];
    return [
      `create table lookup_link (dataset_id text not null, looked_up_id text not null,
        primary key (dataset_id, looked_up_id))${withoutRowid}`,
      `create table deleted_dataset (id text not null primary key, organization_id text)${withoutRowid}`,
      ...trigger,
      'alter table "authorization" add column hidden_of text',
      `insert into lookup_link (dataset_id, looked_up_id) select distinct c.securable_id, o.securable_id
       from link j join "column" c on c.id = j.first_id join "column" o on o.id = j.target_id
       where j.association = 'column.Joins' and c.securable_id <> o.securable_id and coalesce(j.properties, '') not like '%"exact"%'`,
    ];
  },
};
