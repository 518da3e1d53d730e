import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openSqliteStore } from './open.ts';
import { MigrationRefused, type Migration } from '../migrate.ts';
import { sql, text, type Sql } from '../sql.ts';
import { OutcomeUnknown, StoreNewer, StoreUnavailable, type Store } from '../store.ts';
import { suiteMigrations } from '../../../../../test/support/store/schema.ts';
import { counted } from '../../../../../test/support/counts.ts';
import { storeSuite } from '../../../../../test/support/store/suite.ts';
import { runProcesses } from '../../../../../test/support/store/processes.ts';
import type { TestAnswer, TestCommand } from '../../../../../test/support/store/performer.ts';

const folder = mkdtempSync(join(tmpdir(), 'inlay-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
const newFile = (): string => join(folder, `${(made += 1)}.db`);

const openAt = (
  file: string,
  migrations: readonly Migration[] = suiteMigrations,
): Promise<Store<TestCommand, TestAnswer>> =>
  openSqliteStore({
    file,
    performer: {
      module: new URL('../../../../../test/support/store/performer.ts', import.meta.url).href,
      data: 'data of the suite',
    },
    migrations,
  });

storeSuite('a store in a SQLite file', () => openAt(newFile()));

describe('a SQLite file', () => {
  const insert = (id: string) => sql`insert into thing (id) values (${id})`;

  it('is for its owner alone', async () => {
    const file = newFile();
    const store = await openAt(file);
    await store.write({ statements: [insert('x')] });
    for (const end of ['', '-wal', '-shm']) expect(statSync(file + end).mode & 0o777).toBe(0o600);
    await store.close();
  });

  it('loses nothing when two processes write to it', async () => {
    const file = newFile();
    await (await openAt(file)).close();
    const ends = await runProcesses(
      ['write', 'write'].map((what, index) => ({ what, file, args: [String(index), '300'] })),
    );
    expect(ends).toEqual(['wrote 300', 'wrote 300']);
    const store = await openAt(file);
    expect(await store.rows(sql`select count(*) as n from thing`)).toEqual([{ n: 600 }]);
    await store.close();
  });

  it('is set up once when eight processes start together', async () => {
    const file = newFile();
    const ends = await runProcesses(Array.from({ length: 8 }, () => ({ what: 'migrate', file, args: [] })));
    expect(ends).toEqual(Array.from({ length: 8 }, () => 'ready'));
    const store = await openAt(file);
    expect(await store.rows(sql`select id, name from schema_migration order by id`)).toHaveLength(
      suiteMigrations.length,
    );
    await store.close();
  });

  it('has in its new schema all that an older program that still runs has written, and nothing more', async () => {
    const file = newFile();
    const older = await openAt(file);
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
        await older.write({ statements: [insert(id)] }).then(
          () => acknowledged.push(id),
          (error: unknown) => (refusal = error),
        );
      }
    });
    const migrated = await openAt(file, [...suiteMigrations, newer]);
    await Promise.all(writers);
    expect(refusal).toBeInstanceOf(StoreNewer);
    const copied = await migrated.rows(sql`select id from copied`);
    expect(copied.map(({ id }) => String(id)).toSorted()).toEqual(acknowledged.toSorted());
    await Promise.all([older.close(), migrated.close()]);
  });

  it('is finished by the next start when a process is killed while it sets it up', async () => {
    const rounds = counted(4, 8);
    for (let round = 0; round < rounds; round += 1) {
      const file = newFile();
      await runProcesses([{ what: 'migrate-slowly', file, args: [], killAfterMs: 150 + (round * 480) / rounds }]);
      expect(await runProcesses([{ what: 'migrate-slowly', file, args: [] }])).toEqual(['ready']);
    }
  });

  it('finds fragments in rows that are indexed and in rows that wait for it, changed and deleted ones as well', async () => {
    const store = await openAt(newFile());
    const write = (...statements: Sql[]) => store.write({ statements });
    const put = (row: number | null, words: string) =>
      sql`insert into thing (seq, id, name_text) values (${row}, ${words}, ${words})`;
    const found = async (fragment: string) => {
      const rows = await store.rows(
        sql`select seq as held from thing where ${store.dialect.fragment('thing', text('thing'), ['name'], fragment)} order by seq`,
      );
      return rows.map(({ held }) => held);
    };
    const indexedUntil = async () => {
      const [indexed] = await store.rows(sql`select until from text_indexed where text_table = 'thing'`);
      return Number(indexed?.['until']);
    };
    for (let row = 1; row <= 150; row += 1) await write(put(row, `number ${row} of many`));
    // A pause is enough for the indexing.
    await expect.poll(indexedUntil).toBeGreaterThan(100);
    for (let row = 151; row <= 200; row += 1) await write(put(row, `number ${row} of many`));
    const until = await indexedUntil();
    expect(until).toBeLessThan(200);
    expect(await found('of many')).toHaveLength(200);
    for (const row of [until, 200]) {
      const words = `number ${row} of`;
      expect(await found(words)).toEqual([row]);
      await write(sql`update thing set name_text = 'changed' where seq = ${row}`);
      expect(await found(words)).toEqual([]);
      expect(await found('changed')).toEqual([row]);
      await write(sql`delete from thing where seq = ${row}`);
      expect(await found('changed')).toEqual([]);
    }
    expect(await found('of many')).toHaveLength(198);
    // New rows reuse the numbers of the last deleted rows, including indexed ones.
    for (const from of [until + 1, until - 1]) {
      await write(sql`delete from thing where seq >= ${from}`);
      await write(put(null, 'put again'));
      const [last] = await store.rows(sql`select max(seq) as seq from thing`);
      expect(await found('put again')).toEqual([last?.['seq']]);
      expect(await found(`number ${last?.['seq']} of`)).toEqual([]);
      await write(sql`update thing set name_text = 'changed again' where seq = ${last?.['seq'] ?? 0}`);
      expect(await found('put again')).toEqual([]);
      expect(await found('changed again')).toEqual([last?.['seq']]);
      await write(sql`delete from thing where seq = ${last?.['seq'] ?? 0}`);
    }
    expect(await found('of many')).toHaveLength(until - 2);
    await store.close();
  });

  it('is refused when it is newer than the program', async () => {
    const file = newFile();
    await (await openAt(file)).close();
    await expect(openAt(file, suiteMigrations.slice(0, 1))).rejects.toThrow(/newer than this program/u);
    const renamed = suiteMigrations.map((migration) => ({ ...migration, name: `${migration.name}-2` }));
    await expect(openAt(file, renamed)).rejects.toBeInstanceOf(MigrationRefused);
  });

  it('goes on after its writing thread dies: what was under way is unknown, what comes later is written', async () => {
    const store = await openAt(newFile());
    await expect(store.write({ statements: [insert('x')], end: 'crash' })).rejects.toBeInstanceOf(OutcomeUnknown);
    await expect(store.write({ statements: [insert('y')] })).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store.ping()).rejects.toBeInstanceOf(StoreUnavailable);
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
    await store.write({ statements: [insert('z')] });
    expect(await store.rows(sql`select id from thing`)).toEqual([{ id: 'z' }]);
    await store.close();
  });

  it('that cannot be opened is unavailable', async () => {
    await expect(openAt(join(folder, 'missing', 'x.db'))).rejects.toBeInstanceOf(StoreUnavailable);
  });
});
