import { done, type WriteResult } from '../../commands/command.ts';
import type { RepairCommand } from '../../commands/upkeep.ts';
import { mendRecord, mendedColumns } from '../../resource/tables.ts';
import { name, sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import type { WriteEnvironment } from '../context.ts';

/**
 * Recomputes the derived columns of a batch of records, since a program with an earlier schema may have written them.
 * Returns how many records differed, and the last record of the batch; no record at the end.
 */
export async function repair(
  { registry }: WriteEnvironment,
  transaction: Transaction,
  { resource: named, after, batch }: RepairCommand,
): Promise<WriteResult> {
  const resource = registry.resource(named);
  const rows = await transaction.rows(
    sql`select id, record, ${mendedColumns(resource)} from ${name(resource.name)} where id > ${after}
      order by id limit ${batch}${transaction.dialect.forUpdate}`,
  );
  let count = 0;
  for (const row of rows) if (await mendRecord(transaction, resource, row)) count += 1;
  const last = rows.length < batch ? null : String(rows.at(-1)?.['id']);
  return done(count, last);
}
