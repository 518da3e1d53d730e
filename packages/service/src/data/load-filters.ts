import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { list, sql, text, type Sql } from '../store/sql.ts';
import type { Reader, Row } from '../store/store.ts';
import type { FoundFilter } from './parts.ts';

const filtersIn = (row: Row): readonly JsonObject[] => {
  const parsed: Json = JSON.parse(String(row['properties']));
  const filters = isObject(parsed) ? (parsed['filters'] ?? null) : null;
  if (filters === null) return [];
  // A list of anything else was never stored by us: it must not count as no filter.
  if (!isList(filters)) return [{}];
  return filters.map((filter) => (isObject(filter) ? filter : {}));
};

const own = ['securable.Users', 'securable.Groups'];
const wider = ['account.Users', 'account.Groups'];

/**
 * Every row filter on the links by which the caller, or the issuer of an embed token, reaches these datasets: their own
 * links and their groups', those of accounts, collections and integrations, and for an embed token the filter groups
 * (decision R6a: all of them hold). One statement.
 */
export async function loadLinkFilters(
  reader: Reader,
  caller: Caller,
  datasetIds: readonly string[],
): Promise<readonly FoundFilter[]> {
  const ids = list(datasetIds);
  const subjects = list([...caller.subjects, ...(caller.issuer?.subjects ?? [])]);
  const select = sql`select l.first_id, l.association, l.properties from link l where l.properties is not null and`;
  const groups: Sql =
    caller.type === 'embed'
      ? sql` union all ${select} l.first_id in ${ids} and l.association = 'securable.EmbedFilterGroups'`
      : text('');
  const rows = await reader.rows(
    sql`${select} l.first_id in ${ids} and l.target_id in ${subjects} and l.association in ${list(own)} union all ${select} l.first_id in (select s.account_id from securable s where s.id in ${ids}) and l.target_id in ${subjects} and l.association in ${list(wider)} union all ${select} l.target_id in ${subjects} and l.association in ('collection.Users', 'collection.Groups') and l.first_id in (select c.target_id from link c where c.first_id in ${ids} and c.association = 'securable.Collections') union all ${select} l.target_id in ${subjects} and l.association = 'integration.Users' union all ${select} l.first_id in ${ids} and l.association = 'securable.Integrations' and l.target_id in (select i.first_id from link i where i.target_id in ${subjects} and i.association = 'integration.Users')${groups}`,
  );
  return rows.flatMap((row) => {
    const on = String(row['association']).startsWith('securable.') ? String(row['first_id']) : null;
    return filtersIn(row).map((filter) => ({ on, filter }));
  });
}
