import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { havePostgres, startPostgres, type Postgres } from '../../../../../test/support/postgres.ts';
import type { Migration } from '../migrate.ts';
import { openPostgresStore } from './open.ts';
import { sql } from '../sql.ts';
import { StoreNewer, StoreUnavailable, type Store } from '../store.ts';
import { performer, type TestAnswer, type TestCommand } from '../../../../../test/support/store/performer.ts';
import { runProcesses } from '../../../../../test/support/store/processes.ts';
import { suiteMigrations } from '../../../../../test/support/store/schema.ts';
import { counted } from '../../../../../test/support/counts.ts';
import { storeSuite } from '../../../../../test/support/store/suite.ts';

const missing = havePostgres();

describe.skipIf(missing !== undefined)('with a PostgreSQL server', () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  const openAt = (
    url: string,
    migrations: readonly Migration[] = suiteMigrations,
  ): Promise<Store<TestCommand, TestAnswer>> =>
    // How busy the machine is decides no test: a write is refused only after a minute.
    openPostgresStore({ url, perform: performer('data of the suite'), migrations, longestWaitMs: 60_000 });

  storeSuite('a store in PostgreSQL', async () => openAt(await server.createDatabase()));

  describe('a PostgreSQL database', () => {
    const insert = (id: string) => sql`insert into thing (id) values (${id})`;

    it('is set up once when eight processes start together', async () => {
      const file = await server.createDatabase();
      const ends = await runProcesses(Array.from({ length: 8 }, () => ({ what: 'migrate', file, args: [] })));
      expect(ends).toEqual(Array.from({ length: 8 }, () => 'ready'));
    });

    it('is finished by the next start when a process is killed while it sets it up', async () => {
      const rounds = counted(3, 5);
      for (let round = 0; round < rounds; round += 1) {
        const file = await server.createDatabase();
        await runProcesses([{ what: 'migrate-slowly', file, args: [], killAfterMs: 200 + (round * 500) / rounds }]);
        expect(await runProcesses([{ what: 'migrate-slowly', file, args: [] }])).toEqual(['ready']);
      }
    });

    it('has in its new schema all that an older program that still runs has written, and nothing more', async () => {
      const url = await server.createDatabase();
      const older = await openAt(url);
      const newer: Migration = {
        id: suiteMigrations.length + 1,
        name: 'copy',
        statements: () => ['create table copied as select id from thing'],
      };
      const acknowledged: string[] = [];
      let refusal: unknown;
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let index = 0; refusal === undefined; index += 1) {
          const id = `${writer} ${index}`;
          await older.write({ statements: [insert(id), sql`select pg_sleep(0.02)::text as slept`] }).then(
            () => acknowledged.push(id),
            (error: unknown) => (refusal = error),
          );
        }
      });
      const migrated = await openAt(url, [...suiteMigrations, newer]);
      await Promise.all(writers);
      expect(refusal).toBeInstanceOf(StoreNewer);
      const copied = await migrated.rows(sql`select id from copied`);
      expect(copied.map(({ id }) => String(id)).toSorted()).toEqual(acknowledged.toSorted());
      await Promise.all([older.close(), migrated.close()]);
    });

    it('is refused when it is newer than the program', async () => {
      const url = await server.createDatabase();
      await (await openAt(url)).close();
      await expect(openAt(url, suiteMigrations.slice(0, 1))).rejects.toThrow(/newer than this program/u);
    });

    it('is unavailable while the server restarts, keeps what was acknowledged, and is back by itself', async () => {
      const store = await openAt(await server.createDatabase());
      const acknowledged: string[] = [];
      let stop = false;
      let failed = 0;
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let index = 0; !stop; index += 1) {
          const id = `${writer} ${index}`;
          await store.write({ statements: [insert(id)] }).then(
            () => acknowledged.push(id),
            () => (failed += 1),
          );
        }
      });
      await server.restart();
      await expect
        .poll(
          () =>
            store.ping().then(
              () => 'up',
              () => 'down',
            ),
          { timeout: 5_000 },
        )
        .toBe('up');
      stop = true;
      await Promise.all(writers);
      const rows = await store.rows(sql`select id from thing`);
      const stored = new Set(rows.map(({ id }) => id));
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
      expect(failed).toBeGreaterThan(0);
      await store.close();
    });

    it('refuses a write, and does not hang, when a statement takes too long', async () => {
      const store = await openPostgresStore<TestCommand, TestAnswer>({
        url: await server.createDatabase(),
        perform: performer('data of the suite'),
        migrations: suiteMigrations,
        statementTimeoutMs: 300,
      });
      const slow = sql`select pg_sleep(5)::text as slept`;
      await expect(store.rows(slow)).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(store.write({ statements: [insert('x'), slow] })).rejects.toBeInstanceOf(StoreUnavailable);
      expect(await store.rows(sql`select id from thing`)).toEqual([]);
      await store.close();
    });
  });
});
