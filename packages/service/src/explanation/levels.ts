import { textOr } from '@inlay/contract';
import { partiesWithRank, type Caller, type Party } from '../access/caller.ts';
import { coversAll, waysTo } from '../access/given.ts';
import { columnsOf, condition, partsOfRight, permits, rightParts, type RightPart } from '../access/permits.ts';
import type { Subjects } from '../access/subjects.ts';
import { grantPathOf, type GrantPath } from '../data/row-filters/load-grant-paths.ts';
import { levelOf, rights, securable, type Right } from '../declare/roles.ts';
import { mainTable } from '../resource/tables.ts';
import type { RecordKey } from './records.ts';
import { join, name, sql, text, type Sql } from '../store/sql.ts';
import type { Reader, Row } from '../store/store.ts';

/** Returns the right of a level; null for none. */
const rightOf = (level: number): Right | null => rights[level - 1] ?? null;

/** The level that somebody holds on a securable, and what it depends on. */
export interface HeldLevel {
  readonly type: string;
  readonly level: Right | null;
  /** The highest level that each part allows. */
  readonly parts: ReadonlyMap<RightPart, Right | null>;
}

const flag = (is: Sql, as: string): Sql => sql`case when ${is} then 1 else 0 end as ${name(as)}`;

const highest = (isHeld: (right: Right) => boolean): Right | null => rights.findLast(isHeld) ?? null;

/**
 * Loads the levels that somebody holds on securables, by id, with the conditions that decide every request. Securables
 * that do not exist are left out.
 */
export async function loadLevels(reader: Reader, subject: Caller, ids: Sql): Promise<ReadonlyMap<string, HeldLevel>> {
  const columns = columnsOf(mainTable);
  const flags = rights.flatMap((right) => {
    const role = { kind: 'entity', of: 'securable', right, through: 'id' } as const;
    const parts = partsOfRight(role, subject, columns);
    return [
      flag(condition(permits(securable(right), subject, columns)), right),
      ...rightParts.map((part) => flag(condition(parts[part]), `${right}_${part}`)),
    ];
  });
  const rows = await reader.rows(
    sql`select t.id, t.type, ${join(flags, ', ')} from securable t where t.id in ${ids} order by t.id`,
  );
  const levelIn = (row: Row): HeldLevel => ({
    type: textOr(row['type'], ''),
    level: highest((right) => row[right] === 1),
    parts: new Map(rightParts.map((part) => [part, highest((right) => row[`${right}_${part}`] === 1)])),
  });
  return new Map(rows.map((row) => [String(row['id']), levelIn(row)]));
}

/** A way by which a party has a right on a securable. */
export type AccessPath =
  | { readonly party: Party; readonly kind: 'rank'; readonly level: Right | null }
  | {
      readonly party: Party;
      readonly kind: 'link';
      readonly subjects: Subjects;
      readonly type: LinkType;
      /** Whom the link leads to; null for the end user of a token, who is no record. */
      readonly to: RecordKey | null;
      readonly collectionId: string | null;
      /** What the way gives now. */
      readonly level: Right | null;
      /** What its links say. */
      readonly linkedLevel: Right | null;
      /** The same way, as it opens rows. */
      readonly grant: GrantPath;
    };

/** What links that give rights lead to, by association: the name in explanations, and the resource if it is a record. */
const targets = {
  Users: { type: 'user', resource: 'user' },
  Groups: { type: 'group', resource: 'group' },
  Embed: { type: 'token', resource: 'authorization' },
  EndUser: { type: 'end_user', resource: null },
} as const;
export type LinkType = (typeof targets)[keyof typeof targets]['type'];
const isTarget = (role: string): role is keyof typeof targets => Object.hasOwn(targets, role);

function pathOf(party: Party, subjects: Subjects, datasetId: string, row: Row): readonly AccessPath[] {
  const role = String(row['association']).split('.')[1] ?? '';
  if (!isTarget(role)) return [];
  const { type, resource } = targets[role];
  return [
    {
      party,
      kind: 'link',
      subjects,
      type,
      to: resource === null ? null : { resource, id: String(row['target_id']) },
      collectionId: textOr(row['collection_id'], null),
      level: rightOf(Number(row['gives'])),
      linkedLevel: rightOf(Number(row['linked'])),
      grant: grantPathOf(datasetId, row['giver_id'], row['given']),
    },
  ];
}

/** Selects the ways from a securable to subjects, with what each gives. */
function waysOf(id: Sql, subjects: Subjects): Sql {
  const ways = waysTo('securable', id, subjects).map(({ isCollected, from, where, gives }) => {
    const levels = rights.map(levelOf).toReversed();
    const given = join(
      levels.map((level) => sql`when ${gives(level)} then ${text(String(level))}`),
      ' ',
    );
    const [linked, collection] = isCollected
      ? [text('case when c.level < g.level then c.level else g.level end'), text('c.target_id')]
      : [text('g.level'), text('cast(null as text)')];
    const link = text(isCollected ? 'c' : 'g');
    return sql`select g.association, g.target_id, ${collection} as collection_id, ${linked} as linked,
      case ${given} else 0 end as gives, ${link}.giver_id, ${link}.given from ${from} where ${where} and g.level is not null`;
  });
  return join(ways, ' union all ');
}

/**
 * Loads every way by which somebody, and the issuer of their token, have rights on a securable; those that give most
 * first.
 */
export async function loadPaths(reader: Reader, subject: Caller, id: string): Promise<readonly AccessPath[]> {
  const ofParties = partiesWithRank(subject).map(async ({ party, subjects, rank }): Promise<readonly AccessPath[]> => {
    const rows = await reader.rows(waysOf(sql`cast(${id} as text)`, subjects));
    const byRank = highest((right) => coversAll(rank, levelOf(right)));
    const ranked: readonly AccessPath[] = byRank === null ? [] : [{ party, kind: 'rank', level: byRank }];
    return [...ranked, ...rows.flatMap((row) => pathOf(party, subjects, id, row))];
  });
  const height = ({ level }: AccessPath): number => (level === null ? 0 : levelOf(level));
  return (await Promise.all(ofParties)).flat().toSorted((one, other) => height(other) - height(one));
}
