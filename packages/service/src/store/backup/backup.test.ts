import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { havePostgres, startPostgres, type Postgres } from '../../../../../test/support/postgres.ts';
import { backupSqlite, BackupRefused, restoreSqlite } from './backup.ts';
import { backupPostgres, restorePostgres } from './postgres.ts';
import { openPostgresStore } from '../postgres/open.ts';
import { openSqliteStore } from '../sqlite/open.ts';
import { sql } from '../sql.ts';
import type { Store } from '../store.ts';
import { performer, type TestAnswer, type TestCommand } from '../../../../../test/support/store/performer.ts';
import { suiteMigrations } from '../../../../../test/support/store/schema.ts';

type TestStore = Store<TestCommand, TestAnswer>;

const folder = mkdtempSync(join(tmpdir(), 'inlay-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes until the backup has finished; returns the ids acknowledged before it began. */
async function underLoad(store: TestStore, backUp: () => Promise<void>): Promise<readonly string[]> {
  let stop = false;
  const acknowledged: string[] = [];
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let index = 0; !stop; index += 1) {
      const id = `${writer} ${index}`;
      await store.write({ statements: [sql`insert into thing (id) values (${id})`] });
      acknowledged.push(id);
    }
  });
  await expect.poll(() => acknowledged.length).toBeGreaterThan(200);
  const before = [...acknowledged];
  await backUp().finally(() => (stop = true));
  await Promise.all(writers);
  return before;
}

const missingFrom = async (store: TestStore, ids: readonly string[]): Promise<readonly string[]> => {
  const stored = new Set((await store.rows(sql`select id from thing`)).map(({ id }) => id));
  return ids.filter((id) => !stored.has(id));
};

describe('a backup of a SQLite store', () => {
  const openAt = (file: string): Promise<TestStore> =>
    openSqliteStore({
      file,
      performer: {
        module: new URL('../../../../../test/support/store/performer.ts', import.meta.url).href,
        data: 'data of the suite',
      },
      migrations: suiteMigrations,
    });

  it('has every write acknowledged before it began, and is restored to a new place', async () => {
    const [file, copy, restored] = ['a.db', 'a.backup', 'b.db'].map((name) => join(folder, name));
    if (file === undefined || copy === undefined || restored === undefined) throw new Error('not reached');
    const store = await openAt(file);
    const before = await underLoad(store, () => backupSqlite(file, copy));
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    await expect(backupSqlite(file, copy)).rejects.toThrow(/exists already/u);
    restoreSqlite(copy, restored);
    const again = await openAt(restored);
    expect(await missingFrom(again, before)).toEqual([]);
    expect(() => restoreSqlite(copy, restored)).toThrow(/exists already/u);
    expect(() => restoreSqlite(copy, restored, { replace: true })).toThrow(/in use/u);
    await again.write({ statements: [sql`insert into thing (id) values (${'later'})`] });
    await again.close();
    restoreSqlite(copy, restored, { replace: true });
    const replaced = await openAt(restored);
    expect(await missingFrom(replaced, [...before, 'later'])).toEqual(['later']);
    await replaced.close();
    await store.close();
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('is refused when it is something else, and leaves nothing behind', () => {
    const other = join(folder, 'other');
    writeFileSync(other, 'not a store');
    for (const source of [other, join(folder, 'missing')]) {
      expect(() => restoreSqlite(source, join(folder, 'c.db'))).toThrow(BackupRefused);
    }
    expect(readdirSync(folder).filter((name) => name.startsWith('c.db'))).toEqual([]);
  });
});

describe.skipIf(havePostgres() !== undefined)('a backup of a PostgreSQL store', () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  const openAt = (url: string): Promise<TestStore> =>
    openPostgresStore({
      url,
      perform: performer('data of the suite'),
      migrations: suiteMigrations,
      longestWaitMs: 60_000,
    });

  it('has every write acknowledged before it began, and is restored to an empty database', async () => {
    const copy = join(folder, 'postgres.backup');
    const from = await server.createDatabase();
    const to = await server.createDatabase();
    const store = await openAt(from);
    const before = await underLoad(store, () => backupPostgres(from, copy, process.env));
    await store.close();
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    await expect(backupPostgres(from, copy, process.env)).rejects.toThrow(/exists already/u);
    await restorePostgres(copy, to, process.env);
    const restored = await openAt(to);
    expect(await missingFrom(restored, before)).toEqual([]);
    await restored.close();
    await expect(restorePostgres(copy, to, process.env)).rejects.toThrow(/already/u);
    await restorePostgres(copy, to, process.env, { replace: true });
    await expect(backupPostgres(from, `${copy}2`, { PATH: folder })).rejects.toThrow(/pg_dump is not installed/u);
  });
});
