import type { Migration } from '../../../packages/service/src/store/migrate.ts';
import { openPostgresStore } from '../../../packages/service/src/store/postgres/open.ts';
import { openSqliteStore } from '../../../packages/service/src/store/sqlite/open.ts';
import { sql } from '../../../packages/service/src/store/sql.ts';
import type { Store } from '../../../packages/service/src/store/store.ts';
import { performer, type TestAnswer, type TestCommand } from './performer.ts';
import { suiteMigrations } from './schema.ts';

/** Steps that take their time, so that a kill meets one. */
const slowly = (dialect: 'sqlite' | 'postgres', name: string): readonly string[] =>
  dialect === 'postgres'
    ? [`create table ${name} (n int)`, 'select pg_sleep(0.15)', `insert into ${name} values (1)`]
    : [
        `create table ${name} (n int)`,
        `insert into ${name} with recursive up(n) as (select 1 union all select n + 1 from up where n < 400000) select n from up`,
        `delete from ${name} where n > 1`,
      ];

const slowMigrations: readonly Migration[] = ['first', 'second', 'third'].map((name, index) => ({
  id: index + 1,
  name,
  statements: (dialect) => slowly(dialect, name),
}));

const openAt = (place: string, migrations: readonly Migration[]): Promise<Store<TestCommand, TestAnswer>> =>
  place.startsWith('postgres:')
    ? openPostgresStore({ url: place, perform: performer('data of the suite'), migrations, longestWaitMs: 60_000 })
    : openSqliteStore({
        file: place,
        performer: { module: new URL('./performer.ts', import.meta.url).href, data: 'data of the suite' },
        migrations,
      });

/** What a process of the tests does, by the first argument. */
const work: Readonly<Record<string, (place: string, args: readonly string[]) => Promise<string>>> = {
  async migrate(place) {
    await (await openAt(place, suiteMigrations)).close();
    return 'ready';
  },
  async 'migrate-slowly'(place) {
    const store = await openAt(place, slowMigrations);
    const rows = await store.rows(
      sql`select (select count(*) from first) + (select count(*) from second) + (select count(*) from third) as n`,
    );
    await store.close();
    return rows[0]?.['n'] === 3 ? 'ready' : `wrong: ${JSON.stringify(rows)}`;
  },
  async write(place, [mark = '', count = '0']) {
    const store = await openAt(place, suiteMigrations);
    const all = Array.from({ length: Number(count) }, (_, index) => index);
    const put = (index: number): Promise<TestAnswer> =>
      store.write({ statements: [sql`insert into thing (id) values (${`${mark} ${index}`})`] });
    await Promise.all(all.slice(0, 100).map(put));
    for (const index of all.slice(100)) await put(index);
    await store.close();
    return `wrote ${count}`;
  },
};

const [, , what = '', place = '', ...args] = process.argv;
process.stdout.write((await work[what]?.(place, args)) ?? `unknown work: ${what}`);
