import { textOr, type Json } from '@inlay/contract';
import { list, sql, text, type Sql } from '../store/sql.ts';
import { levelOf } from '../declare/roles.ts';

/** Who can hold rights: a token, or a person and their groups. specification/rights#levels */
export interface Subjects {
  /** The token or the person first, then the groups, unless there are more than `mostListed`. */
  readonly ids: readonly string[];
  /** The person whose groups are too many to bind and are read in the statement; null if `ids` has all of them. */
  readonly groupsOf: string | null;
  /** Groups that the person owns do not count. */
  readonly withoutOwned?: true;
}

/** Maximum groups that are bound to a statement. More are found from the groups that a record is linked to. */
const mostListed = 64;

/** One id alone, such as an embed token. */
export const onlySubject = (id: string): Subjects => ({ ids: [id], groupsOf: null });

/** The ids of a person's groups as one text, with one more than are listed where there are more. */
export const groupsText = (listed: (expression: Sql) => Sql, person: Sql): Sql =>
  sql`(select ${listed(text('few.first_id'))} from (select g.first_id from link g where g.target_id = ${person}
    and g.association = 'group.Users' order by g.first_id limit ${text(String(mostListed + 1))}) few)`;

/** A person as a subject, by the text of `groupsText`. */
export function personAsSubject(person: string, groups: Json | undefined): Subjects {
  const ids = textOr(groups, null)?.split(',') ?? [];
  return ids.length > mostListed ? { ids: [person], groupsOf: person } : { ids: [person, ...ids], groupsOf: null };
}

/** The subjects of a person without the groups that they own: `owned` lists these. */
export const withoutOwnGroups = (subjects: Subjects, owned: ReadonlySet<unknown>): Subjects => ({
  ids: subjects.ids.filter((id) => !owned.has(id)),
  groupsOf: subjects.groupsOf,
  withoutOwned: true,
});

/** The ids, some of them again, so that few statements differ by how many there are. */
function padded(ids: readonly string[]): readonly string[] {
  const [first = ''] = ids;
  const size = 2 ** Math.ceil(Math.log2(ids.length));
  return [...ids, ...Array.from({ length: size - ids.length }, () => first)];
}

/** Whether somebody is in a group. */
const isMember = (group: Sql, { groupsOf, withoutOwned }: Subjects): Sql =>
  sql`member.first_id = ${group} and member.target_id = ${groupsOf} and member.association = 'group.Users'${
    withoutOwned === true ? sql` and member.level < ${levelOf('own')}` : text('')
  }`;

/** The associations of links to groups, which may hold row filters; in the words of the index of links to groups. */
const groupLinks = text("('securable.Groups', 'account.Groups', 'collection.Groups')");

/** Conditions on links to subjects, by the alias of the link. */
export interface LinkParty {
  /** Leads to them, or to one of their groups unless they are in very many. */
  readonly direct: (link: Sql) => Sql;
  /**
   * The same with all groups, of links whose first side is as `of` says, such as `= 'x'` or `in (…)`: conditions that stand
   * apart so that each is found by an index of its own, and no two of which hold for one link.
   */
  readonly from: (link: Sql, of: Sql) => readonly Sql[];
}

/** Links to a person and their groups, or to a token. */
export function partyOf(subjects: Subjects): LinkParty {
  const direct = (link: Sql): Sql => sql`${link}.target_id in ${list(padded(subjects.ids))}`;
  // The first side and the association in the words of the index of links to groups: SQLite would read all links of a record.
  const byGroup = (link: Sql, of: Sql): Sql => sql`cast(${link}.first_id as text) ${of}
    and ${link}.association in ${groupLinks}
    and exists (select 1 from link member where ${isMember(sql`${link}.target_id`, subjects)})`;
  return {
    direct,
    from: (link, of) => [
      sql`${link}.first_id ${of} and ${direct(link)}`,
      ...(subjects.groupsOf === null ? [] : [byGroup(link, of)]),
    ],
  };
}

/**
 * Conditions on a link with properties to one of the subjects, for a statement that names no record. It begins at the subjects;
 * where they are in very many groups, at the links with properties, which are fewer.
 */
export const linksTo = (link: Sql, subjects: Subjects): readonly Sql[] => [
  partyOf(subjects).direct(link),
  ...(subjects.groupsOf === null
    ? []
    : [
        sql`${link}.association in ${groupLinks} and exists (select 1 from link member
          where ${isMember(sql`${link}.target_id`, subjects)})`,
      ]),
];
