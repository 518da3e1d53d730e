import { isObject, type Json } from '@inlay/contract';
import { done, type WriteResult } from '../../commands/command.ts';
import type { TouchCommand } from '../../commands/upkeep.ts';
import { sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import type { WriteEnvironment } from '../context.ts';

/** Updates the time at which authorizations were last used. */
export async function touch(
  _environment: WriteEnvironment,
  transaction: Transaction,
  { used }: TouchCommand,
): Promise<WriteResult> {
  // Sorted, so that two instances lock rows in the same order and never deadlock.
  for (const { id, at } of used.toSorted((left, right) => (left.id < right.id ? -1 : 1))) {
    const rows = await transaction.rows(
      sql`select record from "authorization" where id = ${id}${transaction.dialect.forUpdate}`,
    );
    const stored = rows[0]?.['record'];
    if (typeof stored !== 'string') continue;
    const record: Json = JSON.parse(stored);
    if (!isObject(record)) continue;
    const changed = JSON.stringify({ ...record, last_used_at: at });
    await transaction.run(sql`update "authorization" set last_used_at = ${at}, record = ${changed} where id = ${id}`);
  }
  return done(used.length);
}
