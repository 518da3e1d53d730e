import { done, type WriteResult } from '../../commands/command.ts';
import type { ElementsCommand } from '../../commands/upkeep.ts';
import { list, sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import type { WriteEnvironment } from '../context.ts';

/** Limit of the total size of the files of all builds, in bytes. */
const maxBytes = 50 * 1024 * 1024;

/**
 * Stores the files of the elements of this build. Deletes files that no build has used for long, and the oldest files
 * if all together exceed the size limit.
 */
export async function keepElements(
  _environment: WriteEnvironment,
  transaction: Transaction,
  { added, used, now, usedBefore }: ElementsCommand,
): Promise<WriteResult> {
  for (const { name, body, bytes } of added)
    await transaction.run(
      sql`insert into element_file (name, body, bytes, used_at) values (${name}, ${body}, ${bytes}, ${now})
        on conflict (name) do update set used_at = excluded.used_at`,
    );
  if (used.length > 0) await transaction.run(sql`update element_file set used_at = ${now} where name in ${list(used)}`);
  await transaction.run(sql`delete from element_file where used_at < ${usedBefore}`);
  const files = await transaction.rows(sql`select name, bytes from element_file order by used_at desc, name`);
  let bytes = 0;
  const spare = files.filter((file) => (bytes += Number(file['bytes'])) > maxBytes);
  if (spare.length > 0)
    await transaction.run(sql`delete from element_file where name in ${list(spare.map(({ name }) => String(name)))}`);
  return done(added.length);
}
