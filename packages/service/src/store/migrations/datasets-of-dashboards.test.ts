import { describe, expect, it } from 'vitest';
import { havePostgres } from '../../../../../test/support/postgres.ts';
import { useMigratedStores, type OpenAtStep } from '../../../../../test/support/store/steps.ts';
import { sql, type Sql } from '../sql.ts';
import { migrations } from './index.ts';
import { datasetsOfDashboards } from './0010-datasets-of-dashboards.ts';

const idOf = (number: number): string => `01890a5d-ac96-774b-bcce-${String(number).padStart(12, '0')}`;
const [first, second] = ['organization-1', 'organization-2'];
const when = '2026-01-01T00:00:00.000Z';

/** Datasets by the access that Ada, the owner of the dashboards, has to them. */
const datasets = {
  used: idOf(1),
  read: idOf(2),
  grouped: idOf(3),
  collected: idOf(4),
  handedOn: idOf(5),
  lost: idOf(6),
  unheld: idOf(7),
  elsewhere: idOf(8),
} as const;

const securable = (id: string, type: string, organization: string, owner: string, record: object): Sql =>
  sql`insert into securable (id, revision, shape, record, type, organization_id, owner_id, created_at)
    values (${id}, 1, 1, ${JSON.stringify(record)}, ${type}, ${organization}, ${owner}, ${when})`;
const link = (from: string, association: string, to: string, level: number | null, giver: string | null = null): Sql =>
  sql`insert into link (first_id, target_id, association, level, giver_id) values (${from}, ${to}, ${association}, ${level}, ${giver})`;

const item = (name: string, id: string): object => ({
  type: 'bar-chart',
  slots: [{ name: 'y-axis', content: [{ [name]: id, columnId: 'c', label: { en: `"datasetId":"${idOf(7)}"` } }] }],
});
const contents = (name: string, ids: readonly string[]): object => ({
  contents: {
    datasetLinks: { [datasets.unheld]: [] },
    views: [{ items: ids.map((id) => item(name, id)) }, { items: ids.map((id) => item(name, id)) }],
  },
});

const before: readonly Sql[] = [
  ...Object.values(datasets).map((id) =>
    securable(id, 'dataset', id === datasets.elsewhere ? second : first, 'grace', {}),
  ),
  link(first, 'organization.Users', 'ada', 1),
  link(first, 'organization.Users', 'grace', 1),
  link(first, 'organization.Users', 'admin', 4),
  link(second, 'organization.Users', 'ada', 4),
  link(datasets.used, 'securable.Users', 'ada', 2),
  link(datasets.read, 'securable.Users', 'ada', 1),
  link('group', 'group.Users', 'ada', 1),
  link(datasets.grouped, 'securable.Groups', 'group', 3),
  link('collection', 'collection.Users', 'ada', 2),
  link('theirs', 'collection.Users', 'alan', 2),
  link(first, 'organization.Users', 'alan', 1),
  link(datasets.collected, 'securable.Collections', 'collection', 4),
  link(datasets.handedOn, 'securable.Users', 'grace', 2),
  link(datasets.handedOn, 'securable.Collections', 'theirs', 2, 'grace'),
  link(datasets.handedOn, 'securable.Collections', 'collection', 2, 'alan'),
  link(datasets.lost, 'securable.Collections', 'collection', 2, 'alan'),
  securable('new', 'dashboard', first, 'ada', contents('datasetId', [...Object.values(datasets), 'no dataset'])),
  securable('old', 'dashboard', first, 'ada', contents('set', [datasets.used, datasets.read])),
  securable('of the admin', 'dashboard', first, 'admin', contents('datasetId', [datasets.unheld, datasets.elsewhere])),
  securable('of one who left', 'dashboard', first, 'nobody', contents('datasetId', [datasets.used])),
  securable('empty', 'dashboard', first, 'ada', {}),
  link('new', 'securable.Datasets', datasets.grouped, null),
];

async function linked(open: OpenAtStep): Promise<readonly string[]> {
  const store = await open(datasetsOfDashboards.id - 1);
  await store.write({ statements: [...before] });
  await store.close();
  const upgraded = await open(migrations.length);
  const rows = await upgraded.rows(
    sql`select first_id, target_id from link where association = 'securable.Datasets' order by first_id, target_id`,
  );
  await upgraded.close();
  const names = new Map<string, string>(Object.entries(datasets).map(([name, id]) => [id, name]));
  return rows.map((row) => `${String(row['first_id'])}: ${names.get(String(row['target_id'])) ?? ''}`);
}

const expected = ['new: used', 'new: grouped', 'new: collected', 'new: handedOn', 'of the admin: unheld', 'old: used'];

describe('the datasets that dashboards name', () => {
  const stores = useMigratedStores();

  it('are linked on SQLite where the owner of the dashboard may use them', async () => {
    expect(await linked(await stores.sqlite())).toEqual(expected);
  });

  it.skipIf(havePostgres() !== undefined)(
    'are linked on PostgreSQL where the owner of the dashboard may use them',
    async () => {
      expect(await linked(await stores.postgres())).toEqual(expected);
    },
  );
});
