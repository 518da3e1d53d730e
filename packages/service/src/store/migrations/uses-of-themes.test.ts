import { describe, expect, it } from 'vitest';
import { havePostgres } from '../../../../../test/support/postgres.ts';
import { useMigratedStores, type OpenAtStep } from '../../../../../test/support/store/steps.ts';
import type { PlaceCommand } from '../../../../../test/support/store/place.ts';
import { sql, type Sql } from '../sql.ts';
import type { Store } from '../store.ts';
import { migrations } from './index.ts';
import { usesOfThemes } from './0020-uses-of-themes.ts';

const themeOf = (number: number): string => `01890a5d-ac96-774b-bcce-${String(number).padStart(12, '0')}`;
const when = '2026-01-01T00:00:00.000Z';
/** Contents with themes in views, and a text that only looks like a theme. */
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

/** Returns the rows of `theme_use` after the migration, after writes, and after deletes. */
async function noted(open: OpenAtStep): Promise<readonly (readonly string[])[]> {
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
  const stores = useMigratedStores();

  it('are noted on SQLite as they are written, and those from before', async () => {
    expect(await noted(await stores.sqlite())).toEqual(expected);
  });

  it.skipIf(havePostgres() !== undefined)(
    'are noted on PostgreSQL as they are written, and those from before',
    async () => {
      expect(await noted(await stores.postgres())).toEqual(expected);
    },
  );
});
