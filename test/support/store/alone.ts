// alone.ts FILE COUNT: writes one after the other on the thread that answers, and says each id once it is answered.
import { writeSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { openSqliteStore } from '../../../packages/service/src/store/sqlite/open.ts';
import { sql } from '../../../packages/service/src/store/sql.ts';
import { becomeAlone, type PlaceCommand } from './place.ts';
import { suiteMigrations } from './schema.ts';

const [, , file = '', count = '0'] = process.argv;
const store = await openSqliteStore<PlaceCommand, number>({
  file,
  performer: { module: new URL('./place.ts', import.meta.url).href, data: null },
  migrations: suiteMigrations,
  fastFlushMs: Infinity,
});
await becomeAlone(store);
for (let index = 0; index < Number(count); index += 1) {
  const id = `written-alone-${index}-`;
  const thread = await store.write({ statements: [sql`insert into thing (id) values (${id})`] });
  if (thread !== threadId) throw new Error('a write that was alone went to the other thread');
  writeSync(1, `answered ${id}\n`);
}
await store.close();
