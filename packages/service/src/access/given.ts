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
 * A way from a record to subjects: a link `g` from the record itself, or from a collection that the record was added to
 * by a link `c`.
 */
export interface Way {
  readonly isCollected: boolean;
  readonly from: Sql;
  readonly where: Sql;
  /** Condition that the way gives at least a level. */
  readonly gives: (level: number) => Sql;
}

/**
 * Returns the ways from a record to subjects. A collection gives only what the grantor of its link currently has.
 * SQLite joins the sides of a `cross join` in their order. So it goes from the record to its collections, and never
 * through everything that a subject has.
 */
export function waysTo(of: string, id: Sql, subjects: Subjects): readonly Way[] {
  const { from } = partyOf(subjects);
  const ownLinks = from(text('g'), sql`= ${id}`).map((to): Way => ({
    isCollected: false,
    from: text('link g'),
    where: to,
    gives: (level) => sql`g.level >= ${level}`,
  }));
  const giver = text('c.giver_id');
  const collected = from(text('g'), text('= c.target_id')).map((to): Way => ({
    isCollected: true,
    from: text('link c cross join link g'),
    where: sql`c.first_id = ${id} and ${isCollected('c')} and ${to}`,
    gives: (level) =>
      sql`c.level >= ${level} and g.level >= ${level} and (${giver} is null or ${stillHolds(giver, id, level)})`,
  }));
  return of === 'securable' ? [...ownLinks, ...collected] : ownLinks;
}

/** Condition that one of the subjects was granted at least this level on a record. */
export function given(of: string, id: Sql, level: number, subjects: Subjects): Sql {
  const conditions = waysTo(of, id, subjects).map(
    ({ from, where, gives }) => sql`exists (select 1 from ${from} where ${where} and ${gives(level)})`,
  );
  return sql`(${join(conditions, ' or ')})`;
}

/** True if a rank gives this level on every securable of the organization. */
export const coversAll = (rank: number, level: number): boolean =>
  rank >= levelOf('admin') && level <= levelOf('modify');
