import { isObject, objectOr, parseObject, textOr, type Json, type JsonObject, inLanguage } from '@inlay/contract';
import type { Caller } from '../../../access/caller.ts';
import { filtersIn, splitFilters } from '../../../access/filter-kinds.ts';
import { reachedFrom } from '../../../access/lookups.ts';
import { columnsOf, condition, permits } from '../../../access/permits.ts';
import { allRows, securable } from '../../../declare/roles.ts';
import { loadRowFilters } from '../../../data/row-filters/load-row-filters.ts';
import { datasetOf, propagates } from '../../../data/row-filters/row-filters.ts';
import type { Rule } from '../../../resource/rules.ts';
import { membersOf } from '../../../declare/warnings.ts';
import type { Warning } from '../../../declare/warning.ts';
import { list, sql, text } from '../../../store/sql.ts';
import type { Row, Transaction } from '../../../store/store.ts';
import { callerOfNewToken } from '../../../callers/caller-of.ts';
import { datasetsOf, givesDatasets } from './unfiltered-datasets.ts';

/** Returns the lookups from columns of datasets. Datasets that the caller may not read are left out. */
const lookupsFrom = (transaction: Transaction, caller: Caller, ids: readonly string[]): Promise<readonly Row[]> =>
  transaction.rows(
    sql`select t.securable_id as dataset_id, s.record as of_dataset, t.record as of_column, j.properties,
        o.securable_id as looked_up_id,
        case when ${condition(permits(allRows('securable_id'), caller, columnsOf(text('t'))))} then 1 else 0 end as counted
      from "column" t join link j on j.first_id = t.id and j.association = 'column.Joins'
        join "column" o on o.id = j.target_id join securable s on s.id = t.securable_id
      where t.securable_id in ${list(ids)}
        and ${condition(permits(securable('read', 'securable_id'), caller, columnsOf(text('t'))))}
      order by t.securable_id, t.id`,
  );

const nameOf = (record: Json, otherwise: string): string =>
  inLanguage(objectOr(record)['name'] ?? null, 'en') || otherwise;

/**
 * Returns the number of rows without a value in a column. Returns null if unknown, as for derived columns and datasets
 * without statistics.
 */
function emptyIn(
  { empty_values: counts = null }: JsonObject,
  { source_name: name = null, expression = null }: JsonObject,
): Json {
  if (!isObject(counts) || typeof name !== 'string' || expression !== null) return null;
  return Object.hasOwn(counts, name) ? (counts[name] ?? null) : 0;
}

function warningOf(row: Row, filtered: readonly string[]): readonly Warning[] {
  const properties = parseObject(String(row['properties'] ?? '{}'));
  const column = parseObject(String(row['of_column']));
  const empty = emptyIn(parseObject(String(row['of_dataset'])), column);
  if (properties['type'] === 'exact' || properties['optional'] === true || empty === 0) return [];
  const datasetId = String(row['dataset_id']);
  const dataset = nameOf(parseObject(String(row['of_dataset'])), datasetId);
  const key = nameOf(column, textOr(column['source_name'], 'a column without a name'));
  const count = typeof empty === 'number' && row['counted'] === 1 ? empty : null;
  const rowsText = count === null ? 'Rows' : count === 1 ? '1 row' : `${count} rows`;
  const message =
    `${rowsText} of dataset "${dataset}" without a value in "${key}" ${count === 1 ? 'is' : 'are'} hidden by the row filter on ` +
    `${filtered.join(' and ')}. If another link from this dataset leads there too, set "optional": true on the link of this ` +
    'column: the other link then decides';
  return [{ path: 'properties.filters', code: 'row_filter_hides_empty_keys', message }];
}

/** Warns the creator of a token, since row filters hide rows with an empty optional key from everybody. */
export const tellHiddenRows: Rule = {
  name: 'tell-hidden-rows',
  on: ['create'],
  description:
    'The response names each link that row filters of an embed token follow and whose column may be empty, with the number of rows that are hidden because of it.',
  afterwards: true,
  run: async ({ id, sent, after, caller }, { transaction }) => {
    const gives = givesDatasets(sent['access'] ?? null) || typeof sent['integration_id'] === 'string';
    if (sent['type'] !== 'embed' || caller === null || !gives) return undefined;
    const { suborganization = null } = after;
    const tokenCaller = callerOfNewToken(id, typeof suborganization === 'string' ? suborganization : null, caller);
    const datasetIds = (await datasetsOf(transaction, tokenCaller)).map((row) => String(row['id']));
    const bounds = await loadRowFilters(transaction, tokenCaller, datasetIds, 'read');
    if (bounds.lookups.size === 0) return undefined;
    const own = splitFilters(filtersIn(after['filters'])).rowFilters;
    const filters = [...own, ...bounds.filters, ...[...bounds.grantPaths.values()].flat(3)].filter(propagates);
    const targets = new Set(filters.flatMap((filter) => datasetOf(filter) ?? []));
    if (targets.size === 0) return undefined;
    const onWay = new Set(datasetIds.flatMap((dataset) => [...reachedFrom(bounds.lookups, dataset)]));
    const rows = await lookupsFrom(transaction, caller, [...onWay]);
    const named = await transaction.rows(
      sql`select id, record from securable t where id in ${list([...targets])}
        and ${condition(permits(securable('read'), caller, columnsOf(text('t'))))}`,
    );
    const names = new Map(named.map((row) => [String(row['id']), nameOf(parseObject(String(row['record'])), '')]));
    const warnings = rows.flatMap((row) => {
      const reached = reachedFrom(bounds.lookups, String(row['looked_up_id']), [String(row['dataset_id'])]);
      const filtered = [...targets].filter((target) => reached.has(target) && target !== row['dataset_id']);
      return filtered.length === 0
        ? []
        : warningOf(
            row,
            filtered.map((target) => `"${names.get(target) ?? target}"`),
          );
    });
    return warnings.length === 0 ? undefined : { shown: membersOf(warnings) };
  },
};
