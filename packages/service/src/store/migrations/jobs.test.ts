import { describe, expect, it } from 'vitest';
import { havePostgres } from '../../../../../test/support/postgres.ts';
import type { PlaceCommand } from '../../../../../test/support/store/place.ts';
import { useMigratedStores, type OpenAtStep } from '../../../../../test/support/store/steps.ts';
import { sql, type Sql } from '../sql.ts';
import type { Store } from '../store.ts';
import { jobs } from './0021-jobs.ts';
import { migrations } from './index.ts';

const when = '2026-01-01T00:00:00.000Z';
const later = '2026-01-02T00:00:00.000Z';
const dataset = (id: string, dueAt: string | null): Sql =>
  sql`insert into securable (id, revision, shape, record, type, organization_id, created_at, sync_due_at)
    values (${id}, 1, 1, '{}', 'dataset', 'organization', ${when}, ${dueAt})`;
const task = (id: string, status: string): Sql =>
  sql`insert into task (id, revision, shape, record, type, status, organization_id, created_at, request)
    values (${id}, 1, 1, '{}', 'export', ${status}, 'organization', ${when}, '{"asked":{}}')`;

async function queue(store: Store<PlaceCommand, number>): Promise<readonly string[]> {
  const rows = await store.rows(sql`select id, type, subject, due_at, attempts, lease, payload from job order by id`);
  return rows.map((row) =>
    ['id', 'type', 'subject', 'due_at', 'attempts', 'lease', 'payload'].map((column) => row[column] ?? '-').join(', '),
  );
}

/** Returns the queue after the migration, and after writes that only change records. */
async function planned(open: OpenAtStep): Promise<readonly (readonly string[])[]> {
  const earlier = await open(jobs.id - 1);
  await earlier.write({ statements: [dataset('due', when), dataset('never', null)] });
  await earlier.close();
  const store = await open(migrations.length);
  const found = [await queue(store)];
  const after = async (...statements: readonly Sql[]): Promise<void> => {
    await store.write({ statements });
    found.push(await queue(store));
  };
  await after(
    dataset('new', later),
    sql`update securable set sync_due_at = ${later} where id = 'due'`,
    sql`update securable set record = '{"a":1}' where id = 'never'`,
  );
  await after(
    sql`update job set attempts = 3, due_at = null, lease = 'x', leased_until = ${when} where subject = 'new'`,
    sql`update job set attempts = 3, due_at = null where subject = 'due'`,
    sql`update securable set sync_due_at = ${when}`,
  );
  await after(
    sql`update securable set sync_due_at = null where id = 'due'`,
    sql`delete from securable where id = 'new'`,
    sql`delete from securable where id = 'never'`,
  );
  await after(task('a', 'open'), task('b', 'open'), task('c', 'completed'));
  await after(sql`update task set status = 'cancelled' where id = 'a'`, sql`delete from task where id = 'b'`);
  await store.close();
  return found;
}

const sync = (id: string, dueAt: string, rest = '0, -'): string =>
  `metadata sync ${id}, metadata sync, ${id}, ${dueAt}, ${rest}, {}`;

const expected = [
  [sync('due', when)],
  [sync('due', later), sync('new', later)],
  // A dead letter starts again; a running job keeps its attempts and runs once more afterwards.
  [sync('due', when), sync('never', when), sync('new', when, '3, x')],
  [],
  [`a, export, -, ${when}, 0, -, {"asked":{}}`, `b, export, -, ${when}, 0, -, {"asked":{}}`],
  [],
];

describe('the job queue', () => {
  const stores = useMigratedStores();

  it('on SQLite has what was due before the upgrade, and follows the due times of datasets and open tasks', async () => {
    expect(await planned(await stores.sqlite())).toEqual(expected);
  });

  it.skipIf(havePostgres() !== undefined)(
    'on PostgreSQL has what was due before the upgrade, and follows the due times of datasets and open tasks',
    async () => {
      expect(await planned(await stores.postgres())).toEqual(expected);
    },
  );
});
