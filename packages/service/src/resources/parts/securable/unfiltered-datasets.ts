import { isList, isObject, type Json } from '@inlay/contract';
import type { Caller } from '../../../access/caller.ts';
import { filtersIn, splitFilters, type FoundFilter } from '../../../access/filter-kinds.ts';
import { columnsOf, condition, permits } from '../../../access/permits.ts';
import { securable } from '../../../declare/roles.ts';
import { callerOfNewToken } from '../../../callers/caller-of.ts';
import { alternativesFor, loadRowFilters } from '../../../data/row-filters/load-row-filters.ts';
import { Problem } from '../../../problems/problem.ts';
import type { Rule } from '../../../resource/rules.ts';
import { membersOf } from '../../../declare/warnings.ts';
import type { Warning } from '../../../declare/warning.ts';
import { sql, text, type Sql } from '../../../store/sql.ts';
import type { Row, Transaction } from '../../../store/store.ts';

const isFull = (value: Json | undefined): boolean => isList(value) && JSON.stringify(value) !== '[]';

/** True if a token grants any datasets or collections. */
export function givesDatasets(access: Json): boolean {
  const { datasets, collections } = isObject(access) ? access : {};
  return isFull(datasets) || isFull(collections);
}

/** Selects the ids of the securables that a token has access to, directly or through a collection. */
export const heldBy = ({ authorizationId }: Caller): Sql =>
  sql`select l.first_id as id from link l where l.target_id = ${authorizationId} and l.association = 'securable.Embed'
    union select c.first_id from link g cross join link c
    where g.target_id = ${authorizationId} and g.association = 'collection.Embed'
    and c.target_id = g.first_id and c.association = 'securable.Collections'`;

export interface UnfilteredDataset {
  readonly id: string;
  readonly isShared: boolean;
}

export function datasetsOf(transaction: Transaction, token: Caller): Promise<readonly Row[]> {
  const mayRead = condition(permits(securable('read'), token, columnsOf(text('t'))));
  return transaction.rows(
    // Starts at the token's grants and never scans the organization, because SQLite keeps the order of a cross join.
    sql`select t.id, t.record from (${heldBy(token)}) held cross join securable t
      where t.id = held.id and t.type = 'dataset' and ${mayRead} order by t.id`,
  );
}

/** Returns the datasets that a token may read without any row filter, whether of the token or of a link. */
export async function unfilteredFor(
  transaction: Transaction,
  token: Caller,
  filters: readonly FoundFilter[],
): Promise<readonly UnfilteredDataset[]> {
  const rows = await datasetsOf(transaction, token);
  const ids = rows.map((row) => String(row['id']));
  const bounds = await loadRowFilters(transaction, token, ids, 'read');
  const all = { ...bounds, filters: [...filters, ...bounds.filters] };
  return rows.flatMap((row): readonly UnfilteredDataset[] => {
    const id = String(row['id']);
    const record: Json = JSON.parse(String(row['record']));
    const isShared = isObject(record) && record['shared_across_tenants'] === true;
    return alternativesFor(all, id) === null ? [{ id, isShared }] : [];
  });
}

/**
 * Lists unfiltered datasets in the answer, since a token that lacks an intended filter exposes the rows of every
 * tenant.
 */
export const tellUnfiltered: Rule = {
  name: 'tell-unfiltered-datasets',
  on: ['create'],
  description:
    'The response lists the datasets that an embed token may read and to which no row filter applies. If the organization has require_row_filters set, such a token is refused.',
  afterwards: true,
  run: async ({ id, sent, after, caller }, work) => {
    const gives = givesDatasets(sent['access'] ?? null) || typeof sent['integration_id'] === 'string';
    if (sent['type'] !== 'embed' || caller === null || !gives) return undefined;
    const datasets = await unfilteredFor(
      work.transaction,
      callerOfNewToken(id, typeof after['suborganization'] === 'string' ? after['suborganization'] : null, caller),
      splitFilters(filtersIn(after['filters'])).rowFilters,
    );
    const unfiltered = datasets.filter(({ isShared }) => !isShared);
    if (unfiltered.length === 0) return undefined;
    const message = (dataset: UnfilteredDataset): string =>
      `dataset ${dataset.id} is reached by no row filter: the token reads all of its rows`;
    const organization = await work.record('organization', caller.organizationId);
    if (organization?.['require_row_filters'] === true)
      throw new Problem('row_filters_required', {
        validation: { 'properties.filters': unfiltered.slice(0, 100).map(message) },
      });
    const warnings = unfiltered.map((dataset): Warning => ({
      path: 'properties.access',
      code: 'row_filter_missing',
      message: message(dataset),
    }));
    return { shown: membersOf(warnings) };
  },
};
