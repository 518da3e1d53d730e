import { join, list, sql, text, type Sql } from '../store/sql.ts';
import { levelOf } from '../declare/roles.ts';
import { partyOf, type Subjects } from './subjects.ts';

/**
 * Associations that give people and groups direct access to a securable. Only owners of the securable can create them.
 * specification/rights#who-hands-on-what
 */
const directLinks = ['securable.Users', 'securable.Groups'] as const;

/** Condition that a link adds a record to a collection. Its form matches the partial index of these links. */
export const isCollected = (link: string): Sql => text(`(${link}.association || '') = 'securable.Collections'`);

/**
 * Condition that a link connects a dashboard to one of its datasets. Its form matches the partial index of these links.
 */
export const isDatasetOf = (link: string): Sql => text(`(${link}.association || '') = 'securable.Datasets'`);

/** Selects a person and their current groups. */
export const subjectsOf = (person: Sql): Sql =>
  sql`(select ${person} union all select grouped.first_id from link grouped
    where grouped.target_id = ${person} and grouped.association = 'group.Users')`;

/**
 * Condition that a person currently has at least this level on a securable: by a direct link, by rank, or through a
 * collection whose grantor recursively has that level. Each grantor is visited once, so circular grants give no right.
 */
export function stillHolds(giver: Sql, id: Sql, level: number): Sql {
  const byRank = level <= levelOf('modify') ? sql`ranked.level >= ${levelOf('admin')} or ` : text('');
  const givers = sql`select kept.giver_id from way join link kept on kept.first_id = ${id}
    and ${isCollected('kept')} and kept.level >= ${level} join link opened
    on opened.first_id = kept.target_id and opened.level >= ${level}
    and opened.target_id in ${subjectsOf(text('way.giver'))}`;
  const holds = sql`exists (select 1 from link ranked where ranked.target_id = way.giver
    and ranked.association = 'organization.Users' and (${byRank}exists (select 1 from link owned
    where owned.first_id = ${id} and owned.association in ${list(directLinks)} and owned.level >= ${level}
    and owned.target_id in ${subjectsOf(text('way.giver'))})))`;
  // An owner made a link without a grantor. Such a link stays valid if that owner leaves.
  return sql`exists (with recursive way(giver) as (select ${giver} union ${givers}) select 1 from way where way.giver is null or ${holds})`;
}

/**
 * Condition that one of the subjects was granted at least this level: on the record, or on a collection with the record
 * whose grantor currently has that level. SQLite joins the sides of a `cross join` in their order. So it goes from the
 * record to its collections, and never through everything that a subject has.
 */
export function given(of: string, id: Sql, level: number, subjects: Subjects): Sql {
  const { from } = partyOf(subjects);
  const ownLinks = from(text('g'), sql`= ${id}`).map(
    (to) => sql`exists (select 1 from link g where ${to} and g.level >= ${level})`,
  );
  const giver = text('c.giver_id');
  const collected = from(text('g'), text('= c.target_id')).map(
    (to) => sql`exists (select 1 from link c cross join link g where c.first_id = ${id}
    and ${isCollected('c')} and c.level >= ${level} and ${to} and g.level >= ${level}
    and (${giver} is null or ${stillHolds(giver, id, level)}))`,
  );
  return sql`(${join([...ownLinks, ...(of === 'securable' ? collected : [])], ' or ')})`;
}
