import { isObject, type Json } from '@inlay/contract';
import type { Caller } from '../../access/caller.ts';
import { filtersIn, splitFilters, type FoundFilter } from '../../access/filter-kinds.ts';
import type { Right } from '../../declare/roles.ts';
import { Problem } from '../../problems/problem.ts';
import { list, sql } from '../../store/sql.ts';
import type { Reader } from '../../store/store.ts';
import { alternativesFor, loadRowFilters } from './load-row-filters.ts';
import { filtersOf } from './load-filters.ts';
import { withLookedUp, type Lookups } from '../../access/lookups.ts';
import type { Alternatives } from '../model/parts.ts';
import { aboutDataset } from './row-filters.ts';

/** Loads the row filters that an embed token has on a dataset, and whether the token hides a column of the dataset. */
async function ofToken(
  reader: Reader,
  { type, authorizationId, hiddenColumns }: Caller,
  datasetId: string,
  lookups: Lookups,
): Promise<{ readonly filters: readonly FoundFilter[]; readonly hides: boolean }> {
  if (type !== 'embed') return { filters: [], hides: false };
  const [row] = await reader.rows(sql`select record from "authorization" where id = ${authorizationId}`);
  const record: Json = JSON.parse(String(row?.['record'] ?? '{}'));
  const tokenFilters = filtersIn(isObject(record) ? record['filters'] : null);
  const groups = await reader.rows(
    sql`select first_id, association, properties from link where first_id in ${withLookedUp(list([datasetId]))}
      and association = 'securable.EmbedFilterGroups' and properties is not null`,
  );
  const columns = await reader.rows(sql`select id from "column" where securable_id = ${datasetId}`);
  const hides = columns.some(({ id }) => hiddenColumns.includes(String(id)));
  const { rowFilters } = splitFilters([...tokenFilters, ...groups.flatMap(filtersOf)]);
  return { filters: aboutDataset(rowFilters, lookups, datasetId), hides };
}

/** End of an error message about why a caller must see all rows. */
export const whoStores = 'its rows are stored by people who see all of them.';

/**
 * The restrictions of a caller on a dataset. `alternatives` is null if the caller sees all rows. `byToken` is true if
 * the token has filters or hides columns.
 */
export interface DatasetRowFilters {
  readonly alternatives: Alternatives | null;
  readonly byToken: boolean;
}

/** Loads the restrictions on the rows and columns that a caller sees of a dataset. */
export async function rowFiltersOn(
  reader: Reader,
  caller: Caller,
  datasetId: string,
  right: Right,
): Promise<DatasetRowFilters> {
  const bounds = await loadRowFilters(reader, caller, [datasetId], right);
  const token = await ofToken(reader, caller, datasetId, bounds.lookups);
  return { alternatives: alternativesFor(bounds, datasetId), byToken: token.hides || token.filters.length > 0 };
}

/**
 * Refuses operations that require full visibility of a dataset: a caller with row filters must not write rows, or
 * change columns that the filters depend on. Raises Problem `forbidden`.
 */
export async function mustSeeAllRows(
  reader: Reader,
  caller: Caller | null,
  datasetId: Json | undefined,
  what: string,
): Promise<void> {
  if (caller === null || typeof datasetId !== 'string') return;
  const { alternatives, byToken } = await rowFiltersOn(reader, caller, datasetId, 'modify');
  if (alternatives === null && !byToken) return;
  throw new Problem('forbidden', { message: `Row filters or hidden columns hold for you on this dataset: ${what}` });
}
