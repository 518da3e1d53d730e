import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { havePostgres, startPostgres, type Postgres } from '../../../../../test/support/postgres.ts';
import { performer, type PlaceCommand } from '../../../../../test/support/store/place.ts';
import { openPostgresStore } from '../postgres/open.ts';
import { sql, type Sql } from '../sql.ts';
import { openSqliteStore } from '../sqlite/open.ts';
import type { Store } from '../store.ts';
import { migrations } from './index.ts';
import { usesOfThemes } from './0020-uses-of-themes.ts';

const folder = mkdtempSync(join(tmpdir(), 'inlay-uses-of-themes-'));
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

const themeOf = (number: number): string => `01890a5d-ac96-774b-bcce-${String(number).padStart(12, '0')}`;
const when = '2026-01-01T00:00:00.000Z';
/** Contents of views with themes, and a text that only looks like one. */
const record = (...themes: readonly string[]): string =>
  JSON.stringify({
    contents: {
      views: [
        ...themes.map((id, index) => ({
          options: {
            theme: index % 2 === 0 ? { id } : { name: 'a } "{ b', font: { size: { px: 1 } }, list: [{}], id },
          },
        })),
        { options: { theme: { font: { id: themeOf(8) } } } },
        { items: [{ options: { text: { en: `"theme":{"id":"${themeOf(9)}"} \0` } } }] },
      ],
    },
  });
const dashboard = (id: string, text: string): Sql =>
  sql`insert into securable (id, revision, shape, record, type, organization_id, created_at)
    values (${id}, 1, 1, ${text}, 'dashboard', 'organization', ${when})`;

async function uses(store: Store<PlaceCommand, number>): Promise<readonly string[]> {
  const rows = await store.rows(sql`select source_id, theme_id from theme_use order by source_id, theme_id`);
  return rows.map((row) => `${String(row['source_id'])} ${Number(String(row['theme_id']).slice(-12))}`);
}

/** What is noted after a migration, after writes, and after deletes. */
async function noted(open: Open): Promise<readonly (readonly string[])[]> {
  const earlier = await open(usesOfThemes.id - 1);
  await earlier.write({
    statements: [
      dashboard('a', record(themeOf(1), themeOf(1), themeOf(2))),
      dashboard('b', record('default')),
      sql`insert into dashboardversion (id, revision, shape, record, securable_id, organization_id, created_at)
        values ('v', 1, 1, ${record(themeOf(3))}, 'a', 'organization', ${when})`,
    ],
  });
  await earlier.close();
  const store = await open(migrations.length);
  const found = [await uses(store)];
  await store.write({
    statements: [
      dashboard('c', record(themeOf(4))),
      sql`update securable set record = ${record(themeOf(2), themeOf(5))} where id = 'a'`,
      sql`update securable set organization_id = 'other' where id = 'b'`,
    ],
  });
  found.push(await uses(store));
  await store.write({
    statements: [sql`delete from dashboardversion where id = 'v'`, sql`delete from securable where id = 'a'`],
  });
  found.push(await uses(store));
  await store.close();
  return found;
}

const expected = [['a 1', 'a 2', 'v 3'], ['a 2', 'a 5', 'c 4', 'v 3'], ['c 4']];

describe('the themes that dashboards and their versions name', () => {
  it('are noted on SQLite as they are written, and those from before', async () => {
    const found = await noted((steps) =>
      openSqliteStore<PlaceCommand, number>({
        file: join(folder, 'store.db'),
        performer: { module: place, data: null },
        migrations: migrations.slice(0, steps),
      }),
    );
    expect(found).toEqual(expected);
  });

  it.skipIf(havePostgres() !== undefined)(
    'are noted on PostgreSQL as they are written, and those from before',
    async () => {
      const url = (await cluster?.createDatabase()) ?? '';
      const found = await noted((steps) =>
        openPostgresStore<PlaceCommand, number>({ url, perform: performer(), migrations: migrations.slice(0, steps) }),
      );
      expect(found).toEqual(expected);
    },
  );
});
