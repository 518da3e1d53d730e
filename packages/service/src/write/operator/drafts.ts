import { sweepBatch } from '../../commands/upkeep.ts';
import { draftHours, untouchedDays } from '../../resource/standard.ts';
import { timestamp } from '@inlay/contract';
import { name, sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import { load, beginWrite, type WriteEnvironment } from '../context.ts';
import { remove } from '../remove.ts';

/**
 * Deletes records whose parent was never set. Returns the number of deleted records.
 * specification/resources#records-without-a-parent
 */
export async function sweepDrafts(environment: WriteEnvironment, transaction: Transaction): Promise<number> {
  const context = beginWrite(environment, transaction, null);
  const before = timestamp(environment.now() - draftHours * 3_600_000);
  let removed = 0;
  for (const resource of environment.registry.resources) {
    if (resource.draftWithout === undefined) continue;
    const rows = await transaction.rows(
      sql`select id from ${name(resource.name)}
        where ${name(resource.draftWithout)} is null and created_at < ${before} limit ${sweepBatch}`,
    );
    for (const row of rows) {
      const stored = await load(context, resource, String(row['id']));
      if (stored === null) continue;
      await remove(context, resource, stored);
      removed += 1;
    }
  }
  return removed;
}

/**
 * Deletes drafts of dashboards that their writers have not touched for long. Returns the number of deleted drafts.
 * specification/dashboards#drafts
 */
export const sweepUntouched = (environment: WriteEnvironment, transaction: Transaction): Promise<number> =>
  transaction.run(
    sql`delete from dashboardversion where id in (select id from dashboardversion
      where writer is not null and updated_at < ${timestamp(environment.now() - untouchedDays * 24 * 3_600_000)}
      limit ${sweepBatch})`,
  );
