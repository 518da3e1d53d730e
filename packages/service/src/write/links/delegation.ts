import { isOverseer, type Caller } from '../../access/caller.ts';
import { stillHolds } from '../../access/given.ts';
import { entity, levelOf, rights } from '../../declare/roles.ts';
import { withoutOwnGroups } from '../../access/subjects.ts';
import { rowFiltersOn, type DatasetRowFilters } from '../../data/row-filters/unfiltered.ts';
import { holds, unlockedContext } from '../../pipeline/rights/held-roles.ts';
import { Problem } from '../../problems/problem.ts';
import type { Resource } from '../../resource/define.ts';
import { recordOf } from '../../resource/tables.ts';
import { sql } from '../../store/sql.ts';
import type { StandingLink } from './link-side.ts';
import { load, type Grantor, type WriteContext } from '../context.ts';

const own = levelOf('own');
const everything: Grantor = { grantorId: null, filters: null };

/** Returns the caller's level on a record; 0 if the caller has no right on it. */
async function rightHeld(
  { transaction, environment, caller }: WriteContext,
  resource: Resource,
  id: string,
): Promise<number> {
  const context = unlockedContext(transaction, environment.registry, caller);
  for (const right of rights.toReversed()) {
    if (await holds(context, resource, id, entity(resource.name, right))) return levelOf(right);
  }
  return 0;
}

/** True if the grantor of a link still has the level that the link grants. */
async function isLive(
  { transaction }: WriteContext,
  id: string,
  level: number,
  { grantorId }: Grantor,
): Promise<boolean> {
  if (grantorId === null) return true;
  const holding = stillHolds(sql`cast(${grantorId} as text)`, sql`cast(${id} as text)`, level);
  return (await transaction.rows(sql`select 1 as held where ${holding}`)).length === 1;
}

/** Returns the caller as if not a member of the groups that the caller owns. */
async function asMemberOnly({ transaction }: WriteContext, caller: Caller): Promise<Caller> {
  if (caller.subjects.groupsOf !== null) return { ...caller, subjects: withoutOwnGroups(caller.subjects, new Set()) };
  const owned = await transaction.rows(
    sql`select first_id from link where target_id = ${caller.userId} and association = 'group.Users' and level >= ${own}`,
  );
  const groups = new Set(owned.map((row) => row['first_id']));
  return { ...caller, subjects: withoutOwnGroups(caller.subjects, groups) };
}

/**
 * Returns the row filters of an owner of a dataset (specification/rights#who-hands-on-what). Filters of groups that the
 * caller owns count only if the caller is an owner of the dataset through such a group alone.
 */
async function ownerSees(context: WriteContext, caller: Caller, id: string): Promise<DatasetRowFilters> {
  const { transaction } = context;
  const sees = await rowFiltersOn(transaction, await asMemberOnly(context, caller), id, 'own');
  const isNothing = sees.alternatives !== null && sees.alternatives.length === 0;
  return isNothing ? rowFiltersOn(transaction, caller, id, 'own') : sees;
}

/** Limit of a link's row filters in characters, since every access check of its dataset reads them. */
const maxFilterCharacters = 32_768;

/** Serializes row filters for a link. Raises Problem `forbidden` if there are too many. */
function serializedFilters(alternatives: NonNullable<DatasetRowFilters['alternatives']>): string {
  const filtersText = JSON.stringify(alternatives.map((all) => all.map(({ on, filter }) => ({ on, filter }))));
  if (filtersText.length <= maxFilterCharacters) return filtersText;
  throw new Problem('forbidden', {
    message: 'The row filters that hold for you on this dataset are too many to hand on; ask one of its first owners.',
  });
}

/**
 * Determines the grantor of a new link. An owner permanently delegates the rows that the owner sees now. A link of any
 * other caller works only as long as that caller has access. Raises Problem `forbidden` for a token that does not see
 * all of a dataset.
 */
async function grantorOf(context: WriteContext, resource: Resource, id: string, ownLevel: number): Promise<Grantor> {
  const { caller, transaction } = context;
  if (caller === null) return everything;
  const person = caller.userId ?? caller.issuer?.subjects.ids[0] ?? null;
  const record = await load(context, resource, id);
  const isDataset = record !== null && recordOf(record)['type'] === 'dataset';
  if (!isDataset) return { grantorId: ownLevel >= own ? null : person, filters: null };
  const isOwner = ownLevel >= own;
  const { alternatives, byToken } = isOwner
    ? await ownerSees(context, caller, id)
    : await rowFiltersOn(transaction, caller, id, 'read');
  if (byToken)
    throw new Problem('forbidden', {
      message: 'Row filters or hidden columns hold for this token, so it hands on no dataset.',
    });
  if (!isOwner) return { grantorId: person, filters: null };
  return { grantorId: null, filters: alternatives === null ? null : serializedFilters(alternatives) };
}

/** Level and grantor of a link. */
export interface DelegatedLink {
  readonly level: number | null;
  readonly grantor: Grantor;
}

/**
 * Limits a link to the level of its grantor, such as when a securable is added to a collection. If a caller can grant a
 * higher level than an existing link has, the caller becomes the grantor of that link.
 */
export async function limitedLink(
  context: WriteContext,
  resource: Resource,
  id: string,
  before: StandingLink | null,
): Promise<DelegatedLink> {
  const level = await rightHeld(context, resource, id);
  const grantor = await grantorOf(context, resource, id, level);
  if (before === null || before.level === null) return { level, grantor };
  const isAll = grantor.grantorId === null && grantor.filters === null;
  const gives = level > before.level || (isAll && level === before.level);
  if (gives || !(await isLive(context, id, before.level, before.grantor))) return { level, grantor };
  return { level: before.level, grantor: before.grantor };
}

/**
 * Determines level and grantor of a link that its grantor delegates. The link of an owner has the row filters of that
 * owner.
 */
export async function ownersLink(
  context: WriteContext,
  resource: Resource,
  id: string,
  before: StandingLink | null,
  { level, filtersChange }: { readonly level: number | null; readonly filtersChange: boolean },
): Promise<DelegatedLink> {
  const { caller } = context;
  const isTakeOver = caller !== null && isOverseer(caller) && (await rightHeld(context, resource, id)) < own;
  const grantor = isTakeOver ? everything : await grantorOf(context, resource, id, own);
  const raises = (level ?? 0) > (before?.level ?? 0);
  const isAll = grantor.filters === null;
  return { level, grantor: before === null || raises || filtersChange || isAll ? grantor : before.grantor };
}
