import { textOr, type Json } from '@inlay/contract';
import { list, sql, text, type Sql } from '../store/sql.ts';
import { levelOf } from '../declare/roles.ts';

/** A party that can have rights: a token with its end user, or a person with the person's groups. specification/rights#levels */
export interface Subjects {
  /** The id of the token or person, followed by the end user, or by the ids of the groups, unless these are more than `maxInlineIds`. */
  readonly ids: readonly string[];
  /**
   * The id of a person with too many groups to bind, whose groups the statement reads; null if `ids` has all groups.
   */
  readonly groupsOf: string | null;
  /** True if groups that the person owns are excluded. */
  readonly withoutOwned?: true;
}

/**
 * Maximum number of groups that are bound to a statement. For a person with more groups, the statement starts from the
 * groups that a record is linked to.
 */
const maxInlineIds = 64;

/** Returns the subjects of a single id. */
export const onlySubject = (id: string): Subjects => ({ ids: [id], groupsOf: null });

/** Returns the subjects of an embed token: the token, and its end user (`endUserOf`) unless it names none. */
export const tokenAsSubject = (id: string, endUser: string | null): Subjects => ({
  ids: endUser === null ? [id] : [id, endUser],
  groupsOf: null,
});

/** Selects the ids of a person's groups as one text. It has at most one id more than the limit. */
export const groupsText = (listOf: (expression: Sql) => Sql, person: Sql): Sql =>
  sql`(select ${listOf(text('few.first_id'))} from (select g.first_id from link g where g.target_id = ${person}
    and g.association = 'group.Users' order by g.first_id limit ${text(String(maxInlineIds + 1))}) few)`;

/** Creates the subjects of a person from the result of `groupsText`. */
export function personAsSubject(person: string, groups: Json | undefined): Subjects {
  const ids = textOr(groups, null)?.split(',') ?? [];
  return ids.length > maxInlineIds ? { ids: [person], groupsOf: person } : { ids: [person, ...ids], groupsOf: null };
}

/** Excludes groups that a person owns. `ownGroups` has the ids of these groups. */
export const withoutOwnGroups = (subjects: Subjects, ownGroups: ReadonlySet<unknown>): Subjects => ({
  ids: subjects.ids.filter((id) => !ownGroups.has(id)),
  groupsOf: subjects.groupsOf,
  withoutOwned: true,
});

/** Pads a list to a power of two by repeating an id, so that few distinct statements are prepared. */
function padded(ids: readonly string[]): readonly string[] {
  const [first = ''] = ids;
  const size = 2 ** Math.ceil(Math.log2(ids.length));
  return [...ids, ...Array.from({ length: size - ids.length }, () => first)];
}

/** Condition that a person is a member of a group. */
const isMember = (group: Sql, { groupsOf, withoutOwned }: Subjects): Sql =>
  sql`member.first_id = ${group} and member.target_id = ${groupsOf} and member.association = 'group.Users'${
    withoutOwned === true ? sql` and member.level < ${levelOf('own')}` : text('')
  }`;

/**
 * Associations of links to groups, which may have row filters. Their order matches the partial index of links to
 * groups.
 */
const groupLinks = text("('securable.Groups', 'account.Groups', 'collection.Groups')");

/** Builds conditions on links to subjects. `link` is the alias of the link table. */
export interface LinkParty {
  /** Matches links to the party or one of its groups. If there are too many groups, links to groups are not matched. */
  readonly direct: (link: Sql) => Sql;
  /**
   * Matches what `direct` matches, and links to groups even if there are too many. The first id of the links must
   * satisfy `of`, such as `= 'x'` or `in (…)`. Returns disjoint conditions, each of which can use an index of its own.
   */
  readonly from: (link: Sql, of: Sql) => readonly Sql[];
}

/** Returns the conditions on links to a person and the person's groups, or to a token. */
export function partyOf(subjects: Subjects): LinkParty {
  const toSubject = (link: Sql): Sql => sql`${link}.target_id in ${list(padded(subjects.ids))}`;
  // Has the same form as the index of links to groups. With another form, SQLite would read all links of a record.
  const byGroup = (link: Sql, of: Sql): Sql => sql`cast(${link}.first_id as text) ${of}
    and ${link}.association in ${groupLinks}
    and exists (select 1 from link member where ${isMember(sql`${link}.target_id`, subjects)})`;
  return {
    direct: toSubject,
    from: (link, of) => [
      sql`${link}.first_id ${of} and ${toSubject(link)}`,
      ...(subjects.groupsOf === null ? [] : [byGroup(link, of)]),
    ],
  };
}

/**
 * Conditions on links that have properties and lead to one of the subjects, for statements without a record. They start
 * at the subjects. If these have too many groups, they start at the links with properties, which are fewer.
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
