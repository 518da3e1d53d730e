import { isDatasetOf } from '../../../access/given.ts';
import type { Caller } from '../../../access/caller.ts';
import { columnsOf, condition, permits } from '../../../access/permits.ts';
import { securable } from '../../../declare/roles.ts';
import type { Rule } from '../../../resource/rules.ts';
import { membersOf } from '../../../declare/warnings.ts';
import type { Warning } from '../../../declare/warning.ts';
import { sql, text } from '../../../store/sql.ts';
import type { Transaction } from '../../../store/store.ts';
import { callerOfNewToken } from '../../../callers/caller-of.ts';
import { heldBy } from './unfiltered-datasets.ts';

const maxDatasets = 100;

/**
 * Returns datasets linked to a token's dashboards that the issuer may read and the token may not. Each comes with one
 * of the dashboards that it is linked to.
 */
async function missingFor(transaction: Transaction, token: Caller, issuer: Caller) {
  const mayRead = (caller: Caller) => condition(permits(securable('read'), caller, columnsOf(text('t'))));
  const rows = await transaction.rows(
    sql`select t.id, min(d.id) as dashboard_id from (${heldBy(token)}) held cross join securable d cross join link u cross join securable t
      where d.id = held.id and d.type = 'dashboard' and u.first_id = d.id and ${isDatasetOf('u')}
      and t.id = u.target_id and t.type = 'dataset' and not ${mayRead(token)} and ${mayRead(issuer)}
      group by t.id order by t.id limit ${maxDatasets}`,
  );
  return rows.map((row) => ({ id: String(row['id']), dashboardId: String(row['dashboard_id']) }));
}

/** Warns the issuer of datasets that the token may not read, since items with such a dataset will fail. */
export const tellMissing: Rule = {
  name: 'tell-missing-datasets',
  on: ['create'],
  description: 'The response lists the datasets of dashboards of an embed token that the token may not read.',
  afterwards: true,
  run: async ({ id, sent, after, caller }, { transaction }) => {
    if (sent['type'] !== 'embed' || caller === null) return undefined;
    const suborganization = typeof after['suborganization'] === 'string' ? after['suborganization'] : null;
    const missing = await missingFor(transaction, callerOfNewToken(id, suborganization, caller), caller);
    const warnings = missing.map(({ id: datasetId, dashboardId }): Warning => ({
      path: 'properties.access.datasets',
      code: 'dataset_missing',
      message: `dashboard ${dashboardId} uses dataset ${datasetId}, which the token may not read, so its items fail with dataset_unknown: add {"id": "${datasetId}", "rights": "read"}`,
    }));
    return { shown: membersOf(warnings) };
  },
};
