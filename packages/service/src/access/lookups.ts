import { sql, type Sql } from '../store/sql.ts';
import type { Reader } from '../store/store.ts';

/**
 * By dataset id, the datasets that the dataset looks up or has ever looked up. specification/data-queries#row-filters
 */
export type Lookups = ReadonlyMap<string, readonly string[]>;

const reachableIds = (start: Sql): Sql =>
  sql`with recursive reached(id) as (${start} union select l.looked_up_id from lookup_link l join reached r on r.id = l.dataset_id)`;

/** Selects the ids of datasets and of all datasets that they look up, directly or transitively. */
export const withLookedUp = (datasets: Sql): Sql =>
  sql`(${reachableIds(sql`select s.id from securable s where s.id in ${datasets}`)} select id from reached)`;

/** Like `withLookedUp`, but for a single dataset, which may be a column of the outer statement. */
export const withLookedUpBy = (dataset: Sql): Sql =>
  sql`(${reachableIds(sql`select ${dataset}`)} select id from reached)`;

/** Loads the lookups of datasets, and of all datasets that they look up transitively. */
export async function loadLookups(reader: Reader, datasets: Sql): Promise<Lookups> {
  const start = sql`select s.id from securable s where s.id in ${datasets}`;
  const rows = await reader.rows(
    sql`${reachableIds(start)} select l.dataset_id, l.looked_up_id from lookup_link l join reached r on r.id = l.dataset_id`,
  );
  const lookups = new Map<string, string[]>();
  for (const row of rows) {
    const from = String(row['dataset_id']);
    lookups.set(from, [...(lookups.get(from) ?? []), String(row['looked_up_id'])]);
  }
  return lookups;
}

/** Returns all datasets that a dataset reaches by lookups, including itself. Paths through `closedIds` do not count. */
export function reachedFrom(
  lookups: Lookups,
  datasetId: string,
  closedIds: readonly string[] = [],
): ReadonlySet<string> {
  const reachableIds = new Set([datasetId]);
  for (const entry of reachableIds)
    for (const neighbour of lookups.get(entry) ?? []) if (!closedIds.includes(neighbour)) reachableIds.add(neighbour);
  return reachableIds;
}
