import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { havePostgres, startPostgres, type Postgres } from '../../../../../test/support/postgres.ts';
import { performer, type PlaceCommand } from '../../../../../test/support/store/place.ts';
import { openPostgresStore } from '../postgres/open.ts';
import { openSqliteStore } from '../sqlite/open.ts';
import { sql, text } from '../sql.ts';
import type { Store } from '../store.ts';
import { migrations } from './index.ts';
import { synonymsOfColumns } from './0026-synonyms-of-columns.ts';

const folder = mkdtempSync(join(tmpdir(), 'inlay-synonyms-of-columns-'));
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

/** Migrates a store with three columns; returns the ids that are found by name, description and synonym, then after changes. */
async function findable(open: Open): Promise<readonly (readonly unknown[])[]> {
  const before = await open(synonymsOfColumns.id - 1);
  const ids = ['a', 'b', 'c'];
  const insert = (id: string) =>
    sql`insert into "column" (id, revision, shape, record, name_text, description_text)
      values (${id}, 1, 1, '{}', ${`harbour ${id}`}, 'fees')`;
  await before.write({ statements: ids.map(insert) });
  await before.close();
  const store = await open(synonymsOfColumns.id);
  const found = async (field: string, fragment: string): Promise<readonly unknown[]> => {
    const holding = store.dialect.fragment('column', text('t'), [field], fragment);
    return (await store.rows(sql`select id from "column" t where ${holding} order by seq`)).map(({ id }) => id);
  };
  const migrated = [
    await found('name', 'harbour'),
    await found('description', 'fees'),
    await found('synonyms', 'quay'),
  ];
  await store.write({ statements: [sql`update "column" set synonyms_text = 'quay' where id = 'b'`] });
  await store.write({ statements: [sql`delete from "column" where id = 'a'`] });
  const changed = [await found('synonyms', 'quay'), await found('name', 'harbour')];
  const incomplete = (await store.rows(sql`select id from "column" where shape = 0 order by seq`)).map(({ id }) => id);
  await store.close();
  return [...migrated, ...changed, incomplete];
}

const expected = [['a', 'b', 'c'], ['a', 'b', 'c'], [], ['b'], ['b', 'c'], ['b', 'c']];

describe('columns that were stored before they had synonyms', () => {
  it('are found by their names, and by synonyms once they have some, on SQLite', async () => {
    const found = await findable((steps) =>
      openSqliteStore<PlaceCommand, number>({
        file: join(folder, 'store.db'),
        performer: { module: place, data: null },
        migrations: migrations.slice(0, steps),
      }),
    );
    expect(found).toEqual(expected);
  });

  it.skipIf(havePostgres() !== undefined)('are found so on PostgreSQL', async () => {
    const url = (await cluster?.createDatabase()) ?? '';
    const found = await findable((steps) =>
      openPostgresStore<PlaceCommand, number>({ url, perform: performer(), migrations: migrations.slice(0, steps) }),
    );
    expect(found).toEqual(expected);
  });
});
