import { sql, type Sql } from '../store/sql.ts';
import type { Reader } from '../store/store.ts';

/** The datasets that each dataset has ever looked up, by its id. specification/data-queries#row-filters */
export type Lookups = ReadonlyMap<string, readonly string[]>;

const reached = (start: Sql): Sql =>
  sql`with recursive reached(id) as (${start} union select l.looked_up_id from lookup_link l join reached r on r.id = l.dataset_id)`;

/** A statement for the ids of these datasets and of all that they look up, in any number of steps. */
export const withLookedUp = (datasets: Sql): Sql =>
  sql`(${reached(sql`select s.id from securable s where s.id in ${datasets}`)} select id from reached)`;

/** The same for one dataset that may be a column of the statement around. */
export const withLookedUpBy = (dataset: Sql): Sql => sql`(${reached(sql`select ${dataset}`)} select id from reached)`;

/** Which datasets these look up, and those in turn. */
export async function loadLookups(reader: Reader, datasets: Sql): Promise<Lookups> {
  const start = sql`select s.id from securable s where s.id in ${datasets}`;
  const rows = await reader.rows(
    sql`${reached(start)} select l.dataset_id, l.looked_up_id from lookup_link l join reached r on r.id = l.dataset_id`,
  );
  const found = new Map<string, string[]>();
  for (const row of rows) {
    const from = String(row['dataset_id']);
    found.set(from, [...(found.get(from) ?? []), String(row['looked_up_id'])]);
  }
  return found;
}

/** All datasets that one leads to, itself included, over paths that do not touch `closed`. */
export function reachedFrom(lookups: Lookups, datasetId: string, closed: readonly string[] = []): ReadonlySet<string> {
  const found = new Set([datasetId]);
  for (const one of found) for (const next of lookups.get(one) ?? []) if (!closed.includes(next)) found.add(next);
  return found;
}
