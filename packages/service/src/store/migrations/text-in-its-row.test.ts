import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { havePostgres, startPostgres, type Postgres } from '../../../../../test/support/postgres.ts';
import { performer, type PlaceCommand } from '../../../../../test/support/store/place.ts';
import { openPostgresStore } from '../postgres/open.ts';
import { sql, text, type Sql } from '../sql.ts';
import { openSqliteStore } from '../sqlite/open.ts';
import type { Store } from '../store.ts';
import { migrations } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'inlay-text-in-its-row-'));
const place = new URL('../../../../../test/support/store/place.ts', import.meta.url).href;
let cluster: Postgres | undefined;
beforeAll(async () => {
  if (havePostgres() === undefined) cluster = await startPostgres();
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const insert = (id: string): Sql =>
  sql`insert into collection (id, revision, shape, record) values (${id}, 1, 1, '{}')`;
const words = (id: string, folded: string): Sql =>
  sql`insert into collection_text (rowid, name) select seq, ${folded} from collection where id = ${id}`;

type Open = (steps: number) => Promise<Store<PlaceCommand, number>>;

/**
 * Starts with texts in a separate table, some of them indexed. Returns what searches find after the migration,
 * immediately and after changes.
 */
async function moved(open: Open): Promise<Readonly<Record<string, unknown>>> {
  const before = await open(5);
  for (let row = 0; row < 150; row += 1)
    await before.write({ statements: [insert(`row-${row}`), words(`row-${row}`, `harbour ${row} of many`)] });
  await before.write({ statements: [insert('silent')] });
  await before.close();
  const store = await open(migrations.length);
  const found = async (fragment: string): Promise<readonly unknown[]> => {
    const holding = store.dialect.fragment('collection', text('collection'), ['name'], fragment);
    return (await store.rows(sql`select id from collection where ${holding} order by seq`)).map(({ id }) => id);
  };
  const atOnce = {
    one: await found('r 149 o'),
    all: (await found('of many')).length,
    short: (await found('1')).length,
  };
  await store.write({ statements: [sql`update collection set name_text = 'moved' where id = 'row-3'`] });
  await store.write({ statements: [sql`delete from collection where id = 'row-4'`] });
  await store.write({
    statements: [
      sql`insert into collection (id, revision, shape, record, name_text) values ('new', 1, 1, '{}', 'moved')`,
    ],
  });
  const later = { moved: await found('moved'), left: (await found('of many')).length };
  await store.close();
  return { ...atOnce, ...later };
}

const expected = { one: ['row-149'], all: 150, short: 69, moved: ['row-3', 'new'], left: 148 };

describe('folded text that stood beside its row', () => {
  it('is found in its row on SQLite', async () => {
    const open: Open = (steps) =>
      openSqliteStore<PlaceCommand, number>({
        file: join(folder, 'store.db'),
        performer: { module: place, data: null },
        migrations: migrations.slice(0, steps),
      });
    expect(await moved(open)).toEqual(expected);
  });

  it.skipIf(havePostgres() !== undefined)('is found in its row on PostgreSQL', async () => {
    const url = (await cluster?.createDatabase()) ?? '';
    const open: Open = (steps) =>
      openPostgresStore<PlaceCommand, number>({ url, perform: performer(), migrations: migrations.slice(0, steps) });
    expect(await moved(open)).toEqual(expected);
  });

  it('comes before the long record on SQLite, which would be walked through each time', async () => {
    const store = await openSqliteStore<PlaceCommand, number>({
      file: join(folder, 'order.db'),
      performer: { module: place, data: null },
      migrations,
    });
    const after = await store.rows(
      sql`select m.name as owner, c.name as name from sqlite_schema m, pragma_table_info(m.name) r,
        pragma_table_info(m.name) c where m.type = 'table' and r.name = 'record' and c.cid > r.cid
        and substr(c.name, -5) = '_text'`,
    );
    await store.close();
    expect(after).toEqual([]);
  });
});
