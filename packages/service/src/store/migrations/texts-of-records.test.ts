import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { havePostgres, startPostgres, type Postgres } from '../../../../../test/support/postgres.ts';
import { performer, type PlaceCommand } from '../../../../../test/support/store/place.ts';
import { openPostgresStore } from '../postgres/open.ts';
import { openSqliteStore } from '../sqlite/open.ts';
import { name, sql, text, type Sql } from '../sql.ts';
import type { Store } from '../store.ts';
import { migrations } from './index.ts';
import { textsOfRecords } from './0016-texts-of-records.ts';

const folder = mkdtempSync(join(tmpdir(), 'inlay-texts-of-records-'));
const place = new URL('../../../../../test/support/store/place.ts', import.meta.url).href;
let cluster: Postgres | undefined;
beforeAll(async () => {
  if (havePostgres() === undefined) cluster = await startPostgres();
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Open = (steps: number) => Promise<Store<PlaceCommand, number>>;

/** Possible names of records: absent, null, in several languages, and with every character that JSON escapes. */
const names: readonly unknown[] = [
  undefined,
  null,
  'Plain',
  { en: 'Sales', fr: 'Ventes "du mois"' },
  {},
  { en: 'a\\b\n\t\u0001\u2028é😀', 'nl-BE': '</script>' },
  { en: null },
];
const tables = ['account', 'securable', 'theme', 'plugin', 'dashboardversion'] as const;
const recordOf = (held: unknown): string =>
  JSON.stringify({
    id: 'x',
    texts: { en: 'not this' },
    name: held,
    contents: { name: 'nor this', long: 'x'.repeat(9000) },
  });

const insert = (table: string, place: number, held: unknown): Sql =>
  sql`insert into ${name(table)} (id, revision, shape, record, name_text)
    values (${`${table}-${place}`}, 1, 1, ${recordOf(held)}, ${`harbour ${place}`})`;

const indexes = {
  sqlite: sql`select name from sqlite_schema where type in ('index', 'trigger') order by name`,
  postgres: sql`select indexname as name from pg_indexes where schemaname = 'public' order by indexname`,
} as const;

/**
 * Checks that after the migration every table has its texts and the same records, indexes and triggers, and that later
 * changes are found.
 */
async function migrated(open: Open): Promise<number> {
  let seen = 0;
  const before = await open(textsOfRecords.id - 1);
  for (const table of tables) await before.write({ statements: names.map((held, at) => insert(table, at, held)) });
  const had = await before.rows(indexes[before.dialect.name]);
  await before.close();
  const store = await open(textsOfRecords.id);
  expect(await store.rows(indexes[store.dialect.name])).toEqual(had);
  for (const table of tables) {
    const rows = await store.rows(sql`select texts, record from ${name(table)} order by seq`);
    expect(rows.map(({ record }) => record)).toEqual(names.map(recordOf));
    expect(rows.map(({ texts }) => JSON.parse(String(texts)).name)).toEqual(names.map((held) => held ?? null));
    for (const { texts } of rows) expect(String(texts).length).toBeLessThan(300);
    const found = async (fragment: string): Promise<readonly unknown[]> => {
      const holding = store.dialect.fragment(table, text('t'), ['name'], fragment);
      return (await store.rows(sql`select id from ${name(table)} t where ${holding} order by seq`)).map(({ id }) => id);
    };
    expect(await found('harbour')).toHaveLength(names.length);
    const rowsOf = name(table);
    await store.write({ statements: [sql`update ${rowsOf} set name_text = 'moved' where id = ${`${table}-2`}`] });
    await store.write({ statements: [sql`delete from ${rowsOf} where id = ${`${table}-3`}`] });
    expect(await found('moved')).toEqual([`${table}-2`]);
    expect(await found('harbour')).toHaveLength(names.length - 2);
    seen += rows.length;
  }
  await store.close();
  return seen;
}

const inAll = tables.length * names.length;

describe('texts of records that were stored before', () => {
  it('stand in a column of their own on SQLite, before the record, which stays the last', async () => {
    const open: Open = (steps) =>
      openSqliteStore<PlaceCommand, number>({
        file: join(folder, 'store.db'),
        performer: { module: place, data: null },
        migrations: migrations.slice(0, steps),
      });
    expect(await migrated(open)).toBe(inAll);
    const store = await open(migrations.length);
    for (const table of tables) {
      const columns = await store.rows(sql`select name from pragma_table_info(${table}) order by cid`);
      expect(columns.at(-1)?.['name']).toBe('record');
    }
    await store.close();
  });

  it.skipIf(havePostgres() !== undefined)('stand in a column of their own on PostgreSQL', async () => {
    const url = (await cluster?.createDatabase()) ?? '';
    const open: Open = (steps) =>
      openPostgresStore<PlaceCommand, number>({ url, perform: performer(), migrations: migrations.slice(0, steps) });
    expect(await migrated(open)).toBe(inAll);
  });
});
