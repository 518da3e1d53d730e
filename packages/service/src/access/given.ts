import { join, list, sql, text, type Sql } from '../store/sql.ts';
import { levelOf } from '../declare/roles.ts';
import { partyOf, type Subjects } from './subjects.ts';

/** The links by which people and groups hold a securable directly; each was made by an owner of it. specification/rights#who-hands-on-what */
const direct = ['securable.Users', 'securable.Groups'] as const;

/** Whether a link, by its alias, puts a record into a collection; in the words of the index of these links. */
export const isCollected = (link: string): Sql => text(`(${link}.association || '') = 'securable.Collections'`);

/** Whether a link, by its alias, leads from a dashboard to one of its datasets; in the words of the index of these links. */
export const isDatasetOf = (link: string): Sql => text(`(${link}.association || '') = 'securable.Datasets'`);

/** A person and the groups they are in, as they stand now. */
export const subjectsOf = (person: Sql): Sql =>
  sql`(select ${person} union all select grouped.first_id from link grouped
    where grouped.target_id = ${person} and grouped.association = 'group.Users')`;

/**
 * Whether a person holds a right of at least this level on a securable now: directly, by their rank, or through collections
 * whose givers hold it in turn. Each giver is asked once, so people who give to each other in a circle hold nothing by it.
 */
export function stillHolds(giver: Sql, id: Sql, level: number): Sql {
  const byRank = level <= levelOf('modify') ? sql`ranked.level >= ${levelOf('admin')} or ` : text('');
  const before = sql`select kept.giver_id from way join link kept on kept.first_id = ${id}
    and ${isCollected('kept')} and kept.level >= ${level} join link opened
    on opened.first_id = kept.target_id and opened.level >= ${level}
    and opened.target_id in ${subjectsOf(text('way.giver'))}`;
  const holds = sql`exists (select 1 from link ranked where ranked.target_id = way.giver
    and ranked.association = 'organization.Users' and (${byRank}exists (select 1 from link owned
    where owned.first_id = ${id} and owned.association in ${list(direct)} and owned.level >= ${level}
    and owned.target_id in ${subjectsOf(text('way.giver'))})))`;
  // A link without a giver was made by an owner and outlives them.
  return sql`exists (with recursive way(giver) as (select ${giver} union ${before}) select 1 from way where way.giver is null or ${holds})`;
}

/**
 * A right of at least this level given to one of the subjects: on the record, or on a collection that holds it, as far as
 * whoever put it there holds that right now. SQLite takes the sides of a `cross join` in their order: from the record to its
 * collections, never through all that a subject holds.
 */
export function given(of: string, id: Sql, level: number, subjects: Subjects): Sql {
  const { from } = partyOf(subjects);
  const own = from(text('g'), sql`= ${id}`).map(
    (to) => sql`exists (select 1 from link g where ${to} and g.level >= ${level})`,
  );
  const giver = text('c.giver_id');
  const collected = from(text('g'), text('= c.target_id')).map(
    (to) => sql`exists (select 1 from link c cross join link g where c.first_id = ${id}
    and ${isCollected('c')} and c.level >= ${level} and ${to} and g.level >= ${level}
    and (${giver} is null or ${stillHolds(giver, id, level)}))`,
  );
  return sql`(${join([...own, ...(of === 'securable' ? collected : [])], ' or ')})`;
}
