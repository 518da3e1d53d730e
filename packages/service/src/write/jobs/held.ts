import type { HeldJob } from '../../commands/job.ts';
import { sql } from '../../store/sql.ts';
import type { WriteContext } from '../context.ts';

/** Locks the job until the commit. Returns false if its lease was lost. */
export async function isHeld({ transaction }: WriteContext, { id, lease }: HeldJob): Promise<boolean> {
  const rows = await transaction.rows(
    sql`select id from job where id = ${id} and lease = ${lease}${transaction.dialect.forUpdate}`,
  );
  return rows.length > 0;
}
