import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import { filterOf } from '../../access/filter-kinds.ts';
import { isOverseer, type Caller } from '../../access/caller.ts';
import { Problem } from '../../problems/problem.ts';
import { partiesOf } from '../../data/row-filters/load-filters.ts';
import { onlySubject, partyOf, type LinkParty } from '../../access/subjects.ts';
import { join, list, sql, text } from '../../store/sql.ts';
import type { Resource } from '../../resource/define.ts';
import type { Side, StandingLink } from './link-side.ts';
import type { WriteContext } from '../context.ts';

const refuse = (): never => {
  throw new Problem('forbidden', {
    message: 'This would lift filters that hold for you; an Organization Owner of the whole organization may do it.',
  });
};

/**
 * True if row filters do not limit what this caller may change. Owners of the whole organization are responsible for
 * all rows.
 */
const isFree = (caller: Caller | null): boolean => caller === null || isOverseer(caller);

const filtersIn = (properties: JsonObject): readonly Json[] => {
  const filters = properties['filters'] ?? null;
  return isList(filters) ? filters : [];
};

/** Returns the filters that restrict what is visible. Initial values are excluded, since viewers may change them. */
const narrowing = (filters: readonly Json[]): readonly Json[] =>
  filters.filter((filter) => filterOf(null, filter).kind !== 'initialization');

/** True if the record is the caller, the caller's issuer, or a group of either of them. */
async function isSubject({ transaction }: WriteContext, caller: Caller, id: string): Promise<boolean> {
  const parties = [caller.subjects, ...(caller.issuer === null ? [] : [caller.issuer.subjects])];
  if (parties.some(({ ids }) => ids.includes(id))) return true;
  const people = parties.flatMap(({ groupsOf }) => groupsOf ?? []);
  if (people.length === 0) return false;
  const joined = sql`select 1 from link where first_id = ${id} and target_id in ${list(people)} and association = 'group.Users'`;
  return (await transaction.rows(joined)).length > 0;
}

/** Returns the row filters stored on the links between a record and the parties, each with its association. */
async function bindingFilters(
  { transaction }: WriteContext,
  id: string,
  parties: readonly LinkParty[],
): Promise<readonly { readonly association: string; readonly filters: readonly Json[] }[]> {
  const select = sql`select l.association, l.properties from link l where l.properties is not null and`;
  const ways = parties.flatMap(({ direct, from }) => [
    ...from(text('l'), sql`= ${id}`),
    sql`l.target_id = ${id} and ${direct(text('l'))}`,
  ]);
  const rows = await transaction.rows(
    join(
      ways.map((way) => sql`${select} ${way}`),
      ' union all ',
    ),
  );
  return rows.flatMap((row) => {
    const properties: Json = JSON.parse(String(row['properties']));
    const filters = isObject(properties) ? filtersIn(properties) : [];
    return filters.length === 0 ? [] : [{ association: String(row['association']), filters }];
  });
}

/** True if a filter applies to a record. A filter that names no record applies to all. */
const isAbout = (filter: Json, id: string): boolean => {
  const named = isObject(filter) ? filter['securable_id'] : null;
  return typeof named !== 'string' || named.toLowerCase() === id;
};

/**
 * Refuses changes that would lift row filters of the caller: changing or removing a link that has such filters, leaving
 * a group whose links have filters, or removing a dataset from a collection whose links have filters. Raises Problem
 * `forbidden`. specification/rights#row-filters
 */
export async function mayLift(context: WriteContext, side: Side, before: StandingLink | null): Promise<void> {
  const { caller } = context;
  if (before === null || caller === null || isFree(caller)) return;
  const { declared, firstId, targetId } = side;
  if (declared.limitedToGrantor === true) {
    const ofCollection = await bindingFilters(context, targetId, partiesOf(caller));
    if (ofCollection.some(({ filters }) => narrowing(filters).some((filter) => isAbout(filter, firstId)))) refuse();
  }
  if (!(await isSubject(context, caller, targetId))) return;
  if (narrowing(filtersIn(before.properties)).length > 0) refuse();
  const joined = declared.joins === true ? await bindingFilters(context, firstId, [partyOf(onlySubject(firstId))]) : [];
  if (joined.some(({ filters }) => narrowing(filters).length > 0)) refuse();
}

/**
 * Refuses to delete a record whose links have row filters for the caller, unless the rows are deleted with the record.
 * Raises Problem `forbidden`.
 */
export async function mayRemove(context: WriteContext, resource: Resource, id: string): Promise<void> {
  const { caller } = context;
  if (caller === null || isFree(caller)) return;
  const ownRows = Object.entries(resource.associations ?? {}).flatMap(([role, { delegates }]) =>
    delegates === true ? [`${resource.name}.${role}`] : [],
  );
  const binding = await bindingFilters(context, id, partiesOf(caller));
  if (binding.some(({ association, filters }) => !ownRows.includes(association) && narrowing(filters).length > 0))
    refuse();
}

/**
 * Returns the row filters that a caller must pass on with access to a record: the filters on the caller's own links to
 * it.
 */
export async function inheritedFilters(
  context: WriteContext,
  { declared, firstId, targetId }: Side,
  before: StandingLink | null,
  set: JsonObject,
): Promise<JsonObject> {
  const { caller } = context;
  if (declared.inheritsFilters !== true || caller === null || targetId === caller.userId) return {};
  const binding = await bindingFilters(context, firstId, partiesOf(caller));
  if (binding.length === 0) return {};
  const newFilters = filtersIn({ filters: set['filters'] ?? before?.properties['filters'] ?? null });
  const known = new Set(newFilters.map((filter) => JSON.stringify(filter)));
  const mine = binding.flatMap(({ filters }) => filters);
  return { filters: [...newFilters, ...mine.filter((filter) => !known.has(JSON.stringify(filter)))] };
}
