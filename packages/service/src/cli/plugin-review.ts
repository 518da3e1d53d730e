import { sql } from '../store/sql.ts';
import { readArguments } from './arguments.ts';
import { CommandRefused } from './faults.ts';
import type { CliCommand, Host } from './host.ts';
import { settingsOf } from './settings.ts';
import { withStore } from './with-store.ts';

async function run(args: readonly string[], host: Host): Promise<number> {
  const { values, words } = readArguments(args, { undo: { type: 'boolean' } }, ['SLUG']);
  const [slug = ''] = words;
  const reviewed = values.undo !== true;
  return withStore(settingsOf(host), async (store) => {
    const [row] = await store.rows(sql`select id from plugin where slug = ${slug}`);
    if (typeof row?.['id'] !== 'string') throw new CommandRefused(`There is no plugin with the slug "${slug}".`);
    const { id } = row;
    await store.write({ kind: 'note', resource: 'plugin', id, fields: { reviewed } });
    host.out(`The plugin ${slug} is now ${reviewed ? 'reviewed' : 'not reviewed'}.`);
    return 0;
  });
}

/** Sets `reviewed` of a plugin, which nobody else can (decision X4). */
export const pluginReview: CliCommand = {
  words: 'plugin review',
  usage: 'inlay plugin review SLUG [--undo]',
  sentence: 'Mark a plugin as reviewed by you, the operator; --undo takes it back.',
  run,
};
