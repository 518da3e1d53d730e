import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import { filterOf } from '../../../access/filter-kinds.ts';
import type { Work } from '../../../resource/rules.ts';
import { name, sql } from '../../../store/sql.ts';
import type { Row } from '../../../store/store.ts';

/** Returns the links that make a person the only owner of a record, except their rank in the organization. */
const ownedAlone = (userId: string, { transaction }: Work): Promise<readonly Row[]> =>
  transaction.rows(
    sql`select l.first_id, l.association, l.level, l.properties, l.given from link l
      where l.target_id = ${userId} and l.level >= 4 and l.association <> 'organization.Users' and not exists (select 1 from link o
        where o.first_id = l.first_id and o.association = l.association and o.target_id <> l.target_id and o.level >= 4)
      order by l.association, l.first_id`,
  );

const parsed = (stored: unknown): Json => (typeof stored === 'string' ? JSON.parse(stored) : null);
const listed = (value: Json | undefined): readonly Json[] => (value !== undefined && isList(value) ? value : []);
const serialized = (properties: JsonObject): string | null =>
  Object.keys(properties).length === 0 ? null : JSON.stringify(properties);

/**
 * Returns the row filters of a link that has two owners, before and after. Null if either owner saw all rows. If the
 * filters of both exceed the limit of a link, only those of the previous owner are returned.
 * specification/rights#deleting-a-person
 */
function eitherGiven(before: unknown, after: unknown): string | null {
  if (typeof before !== 'string' || typeof after !== 'string') return null;
  const both = JSON.stringify([...listed(parsed(after)), ...listed(parsed(before))]);
  return both.length > 32_768 ? before : both;
}

/**
 * Returns the owner link of the successor. It has the previous owner's row filters, unless the successor already saw
 * all rows.
 */
function linkOf(
  before: Row,
  standing: Row | undefined,
): { level: number; properties: string | null; given: string | null } {
  const level = Math.max(Number(before['level']), Number(standing?.['level'] ?? 0));
  const [was, is] = [parsed(before['properties']), parsed(standing?.['properties'])];
  const own = isObject(is) ? is : {};
  const [theirFilters, ownFilters] = [listed(isObject(was) ? was['filters'] : null), listed(own['filters'])];
  const eitherFilters = eitherGiven(before['given'], standing?.['given']);
  if (standing === undefined) {
    const all = typeof before['given'] === 'string' ? before['given'] : null;
    return { level, properties: serialized(isObject(was) ? was : {}), given: all };
  }
  const isBounded = ownFilters.some((filter) => filterOf(null, filter).kind === 'row');
  const seesAll = standing['level'] !== null && standing['given'] === null && !isBounded;
  const filters = seesAll ? ownFilters : [...ownFilters, ...theirFilters];
  return { level, properties: serialized(filters.length === 0 ? own : { ...own, filters }), given: eitherFilters };
}

async function passLink(before: Row, heirId: string, now: string, { transaction }: Work): Promise<void> {
  const [firstId, association] = [String(before['first_id']), String(before['association'])];
  const [standing] = await transaction.rows(
    sql`select level, properties, given from link where first_id = ${firstId} and target_id = ${heirId} and association = ${association}`,
  );
  const { level, properties, given } = linkOf(before, standing);
  await transaction.run(
    sql`insert into link (first_id, target_id, association, level, properties, created_at, giver_id, given)
      values (${firstId}, ${heirId}, ${association}, ${level}, ${properties}, ${now}, ${null}, ${given})
      on conflict (first_id, target_id, association) do update
      set level = excluded.level, properties = excluded.properties, giver_id = excluded.giver_id, given = excluded.given`,
  );
}

/** Resources whose records belong to their creator alone. No links have their owners. */
const madeOnly = ['plugin', 'image', 'share'] as const;

async function passMade(fromId: string, toId: string, work: Work): Promise<number> {
  let count = 0;
  for (const resource of madeOnly) {
    const rows = await work.transaction.rows(
      sql`select id from ${name(resource)} where user_id = ${fromId} order by id`,
    );
    for (const row of rows) await work.change(resource, String(row['id']), { user_id: toId });
    count += rows.length;
  }
  return count;
}

/**
 * Makes a person the owner of everything that another person alone owns or created, and the grantor of that person's
 * grants. Returns the number of transferred records. Records that have further owners stay with those owners.
 */
export async function handOver(work: Work, fromId: string, toId: string, now: string): Promise<number> {
  const owned = await ownedAlone(fromId, work);
  for (const link of owned) await passLink(link, toId, now, work);
  await work.transaction.run(sql`update link set giver_id = ${toId} where giver_id = ${fromId}`);
  return owned.length + (await passMade(fromId, toId, work));
}
