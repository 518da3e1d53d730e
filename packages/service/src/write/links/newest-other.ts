import { sql } from '../../store/sql.ts';
import type { WriteContext } from '../context.ts';

/**
 * Returns another target of a record's links with at least this level: that of the newest link, or null if there is
 * none.
 */
export async function newestOther(
  { transaction }: WriteContext,
  { firstId, stored, targetId }: { readonly firstId: string; readonly stored: string; readonly targetId: string },
  level: number,
): Promise<string | null> {
  const rows = await transaction.rows(
    sql`select target_id from link where first_id = ${firstId} and association = ${stored}
      and target_id <> ${targetId} and level >= ${level} order by created_at desc, target_id desc limit 1`,
  );
  const target = rows[0]?.['target_id'];
  return typeof target === 'string' ? target : null;
}
