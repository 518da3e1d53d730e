import type { Caller } from '../../access/caller.ts';
import { reachedFrom } from '../../access/lookups.ts';
import { Problem } from '../../problems/problem.ts';
import { list, sql } from '../../store/sql.ts';
import type { Reader } from '../../store/store.ts';
import type { RowFilterSet } from '../model/parts.ts';
import { datasetOf } from './row-filters.ts';

/** Raises Problem `row_filter_invalid` if a row filter names no dataset that ever existed. */
export type CheckKnownDatasets = (
  reader: Reader,
  caller: Caller,
  bounds: RowFilterSet,
  ids: readonly string[],
) => Promise<void>;

/**
 * Creates a check that refuses all queries of a caller with a row filter whose dataset never existed in the caller's
 * organization: nobody knows which rows such a filter should hide. Caches the ids of existing datasets, so that most
 * requests need no query. The check raises Problem `row_filter_invalid`.
 */
export function createKnownDatasets(maxEntries = 10_000): CheckKnownDatasets {
  const knownKeys = new Set<string>();
  return async (reader, { organizationId }, { filters, lookups }, ids) => {
    const key = (id: unknown): string => `${organizationId} ${String(id)}`;
    const reachedIds = new Set(ids.flatMap((id) => [...reachedFrom(lookups, id)]));
    const namedIds = filters.flatMap((filter) => datasetOf(filter) ?? []);
    const unknownIds = namedIds.filter((id) => !reachedIds.has(id) && !knownKeys.has(key(id)));
    if (unknownIds.length === 0) return;
    const rows = await reader.rows(
      sql`select s.id from securable s where s.id in ${list(unknownIds)} and s.type = 'dataset' and s.organization_id = ${organizationId}
        union select d.id from deleted_dataset d where d.id in ${list(unknownIds)} and d.organization_id = ${organizationId}`,
    );
    if (knownKeys.size + rows.length > maxEntries) knownKeys.clear();
    for (const row of rows) knownKeys.add(key(row['id']));
    const unknownId = unknownIds.find((id) => !knownKeys.has(key(id)));
    if (unknownId !== undefined)
      throw new Problem('row_filter_invalid', {
        message: `A row filter that holds for you names no dataset: ${unknownId}.`,
      });
  };
}
