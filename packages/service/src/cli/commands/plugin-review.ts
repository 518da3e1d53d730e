import { sql } from '../../store/sql.ts';
import { readArguments } from '../arguments.ts';
import { CommandRefused } from '../faults.ts';
import type { Host } from '../host.ts';
import { settingsOf } from '../settings.ts';
import { withStore } from '../with-store.ts';

/** Sets `reviewed` of a plugin, which only the operator can do. */
export async function pluginReview(args: readonly string[], host: Host): Promise<number> {
  const { values, words } = readArguments(args, { undo: { type: 'boolean' } }, ['SLUG']);
  const [slug = ''] = words;
  const isReviewed = values.undo !== true;
  return withStore(settingsOf(host), async (store) => {
    const [row] = await store.rows(sql`select id from plugin where slug = ${slug}`);
    if (typeof row?.['id'] !== 'string') throw new CommandRefused(`There is no plugin with the slug "${slug}".`);
    const { id } = row;
    await store.write({ kind: 'note', resource: 'plugin', id, fields: { reviewed: isReviewed } });
    host.out(`The plugin ${slug} is now ${isReviewed ? 'reviewed' : 'not reviewed'}.`);
    return 0;
  });
}
