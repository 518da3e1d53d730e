import type { Migration } from '../migrate.ts';

/** Selects the dataset ids in slots of dashboards. Older dashboards have such an id in `set` instead of `datasetId`. */
const namedDatasets = {
  sqlite: `select distinct t.id as dashboard_id, t.organization_id, t.owner_id, j.value as dataset_id
    from securable t, json_tree(t.record, '$.contents.views') j
    where t.type = 'dashboard' and j.type = 'text' and j.key in ('datasetId', 'set')`,
  postgres: `select distinct t.id as dashboard_id, t.organization_id, t.owner_id, m.found[1] as dataset_id
    from securable t cross join lateral regexp_matches(t.record, '"(?:datasetId|set)":"([0-9a-fA-F-]{36})"', 'g') as m(found)
    where t.type = 'dashboard'`,
} as const;

const subjects = (person: string): string =>
  `(select ${person} union all select u.first_id from link u where u.target_id = ${person} and u.association = 'group.Users')`;

/** True if a person has *use* on a dataset by role or by a link from an owner, without any collection. */
const holdsAlone = (person: string, dataset: string): string =>
  `exists (select 1 from link r where r.target_id = ${person} and r.association = 'organization.Users' and r.first_id = n.organization_id
    and (r.level >= 4 or exists (select 1 from link o where o.first_id = ${dataset} and o.level >= 2
      and o.association in ('securable.Users', 'securable.Groups') and o.target_id in ${subjects(person)})))`;

/** Selects the people who granted a dataset to a person through a collection. */
const givers = (person: string, dataset: string): string =>
  `select c.giver_id from link c join link g on g.first_id = c.target_id and g.level >= 2
    and g.target_id in ${subjects(person)}
    where c.first_id = ${dataset} and c.association = 'securable.Collections' and c.level >= 2`;

/** Extends `givers` recursively by the givers of each giver. Visits each giver once. */
const handedOn = `select c.giver_id from way w cross join link c join link g on g.first_id = c.target_id and g.level >= 2
    and g.target_id in ${subjects('w.giver_id')}
    where c.first_id = d.id and c.association = 'securable.Collections' and c.level >= 2`;

const isMember = `exists (select 1 from link b where b.target_id = n.owner_id and b.association = 'organization.Users'
    and b.first_id = n.organization_id)`;

/**
 * Links existing dashboards to their datasets if the owner of the dashboard may use the dataset. Readers of a dashboard
 * see rows of a dataset only if the two are linked.
 */
export const datasetsOfDashboards: Migration = {
  id: 10,
  name: 'datasets of dashboards',
  statements: (dialect) => [
    `insert into link (first_id, target_id, association, created_at)
      select n.dashboard_id, d.id, 'securable.Datasets', n.linked_at from (
        select x.*, (select s.created_at from securable s where s.id = x.dashboard_id) as linked_at from (${namedDatasets[dialect]}) x
      ) n join securable d on d.id = n.dataset_id and d.type = 'dataset' and d.organization_id = n.organization_id
      where ${isMember} and (${holdsAlone('n.owner_id', 'd.id')} or exists (
        with recursive way(giver_id) as (${givers('n.owner_id', 'd.id')} union ${handedOn})
        select 1 from way where way.giver_id is null or ${holdsAlone('way.giver_id', 'd.id')}))
      on conflict (first_id, target_id, association) do nothing`,
  ],
};
