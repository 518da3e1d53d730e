import { isList } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { refreshed, settled } from '../support/accelerations.ts';
import { useApi } from '../support/api.ts';
import { counted } from '../support/counts.ts';
import { runSeed } from '../support/seed.ts';
import { randomOf } from '../support/tenant-queries.ts';
import { havePostgresServer, storesToTest, type Credential } from '../support/service.ts';
import { columnsOfDataset, openShop, type ShopDatabase } from '../support/shop-database.ts';
import { part, text } from '../support/world.ts';

describe.runIf(havePostgresServer).each(storesToTest)('the deltas of an acceleration on %s', (store) => {
  const api = useApi(store, { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_SYNC_METADATA: 'false' });
  let shop: ShopDatabase;
  beforeAll(async () => {
    shop = await openShop(api);
  });

  interface Events {
    readonly id: string;
    readonly column: (name: string) => string;
    /** The answer of a query over all rows, from the copy or from the source. */
    readonly rows: (isFromSource: boolean) => Promise<object>;
    readonly accelerate: (more: object) => Promise<string>;
    readonly run: (statement: string) => Promise<void>;
  }

  /** Creates a table of events at the source, and its dataset. */
  async function events(table: string): Promise<Events> {
    await shop.run(
      `create table ${table} (id bigint, part text, amount numeric(20, 4),
        made_at timestamptz, changed_at timestamp(3), gone_at timestamptz)`,
    );
    const made = await api.ok('dataprovider', {
      properties: { account_id: shop.accountId, provider: 'postgresql', datasets: [`public.${table}`] },
    });
    const found: unknown = made['rows'];
    const id = text(isList(found) ? found[0] : null, 'id');
    const columns = await columnsOfDataset(api, id);
    const column = (name: string): string => columns.get(name) ?? name;
    const on = (name: string, more: object = {}): object => ({ dataset_id: id, column_id: column(name), ...more });
    return {
      id,
      column,
      run: (statement) => shop.run(statement.replaceAll('events', table)),
      accelerate: async (more) =>
        (
          await api.create('acceleration', {
            securable_id: id,
            load_type: 'delta',
            late_rows_seconds: 0,
            created_at_column_id: column('made_at'),
            ...more,
          })
        ).id,
      rows: (isFromSource) =>
        api.ok('data', {
          action: 'get',
          find: {
            dimensions: [on('part')],
            measures: [
              on('id', { aggregation: { type: 'count' } }),
              on('id', { aggregation: { type: 'sum' } }),
              on('amount', { aggregation: { type: 'sum' } }),
            ],
            ...(isFromSource ? { options: { max_age: 0 } } : {}),
          },
        }),
    };
  }

  const keyed = ({ column }: Events): object => ({
    data_storage_strategy: 'insert-update',
    primary_key_column_ids: [column('id'), column('part')],
    updated_at_column_id: column('changed_at'),
    // The times of the source and of this service are those of one machine, but their transactions overlap.
    late_rows_seconds: 5,
  });

  async function expectEqual({ rows }: Events): Promise<void> {
    const [copy, source] = [await rows(false), await rows(true)];
    expect([part(copy, 'source'), part(source, 'source')]).toEqual(['engine', 'pushdown']);
    expect(part(copy, 'data')).toEqual(part(source, 'data'));
  }

  it('add the rows that were created since, each once', async () => {
    const world = await events('inserted');
    await world.run("insert into events select n, 'a', n, now() - interval '1 day' from generate_series(1, 1000) n");
    const id = await world.accelerate({});
    expect(await settled(api, id)).toMatchObject({ status: 'ready', rows: 1000 });
    for (let round = 1; round <= 3; round += 1) {
      await world.run(`insert into events select n, 'b', ${round}, now() from generate_series(1, 10) n`);
      expect(await refreshed(api, id)).toMatchObject({ status: 'ready', rows: 1000 + round * 10 });
      await expectEqual(world);
    }
    expect(text(await refreshed(api, id), 'last_full_at') < text(await refreshed(api, id), 'last_refresh_at')).toBe(
      true,
    );
  });

  it('wait for rows that come late', async () => {
    const world = await events('late');
    await world.run("insert into events values (1, 'a', 1, now() - interval '1 hour'), (2, 'a', 1, now())");
    const id = await world.accelerate({ late_rows_seconds: 600 });
    expect(await settled(api, id)).toMatchObject({ status: 'ready', rows: 1 });
  });

  it('are refused where rows have no time of creation', async () => {
    const world = await events('timeless');
    await world.run("insert into events values (1, 'a', 1, null)");
    const id = await world.accelerate({});
    expect(await settled(api, id)).toMatchObject({
      status: 'failed',
      rows: null,
      last_error: {
        code: 'acceleration_failed',
        message: expect.stringContaining('1 rows have no value in "made_at"'),
      },
    });
    expect(await world.rows(false)).toMatchObject({ source: 'pushdown' });
    await world.run('update events set made_at = now()');
    expect(await refreshed(api, id)).toMatchObject({ status: 'ready', rows: 1 });
    await world.run("insert into events values (2, 'a', 1, null)");
    expect(await refreshed(api, id)).toMatchObject({ status: 'failed', rows: 1 });
  });

  it('go on from where they ended, also where late rows are waited for longer than before', async () => {
    const world = await events('waiting');
    await world.run("insert into events values (1, 'a', 1, now() - interval '1 hour')");
    const id = await world.accelerate({});
    const before = await settled(api, id);
    await api.update('acceleration', id, { late_rows_seconds: 86_400 });
    const after = await refreshed(api, id);
    expect(after).toMatchObject({ status: 'ready', rows: 1, data_as_of: before['data_as_of'] });
  });

  it('are refused where keys are doubled, with examples for owners alone', async () => {
    const world = await events('doubled');
    await world.run(
      "insert into events values (7, 'secret part', 1, now()), (7, 'secret part', 2, now()), (8, null, 1, now())",
    );
    const id = await world.accelerate(keyed(world));
    const failed = await settled(api, id);
    expect(failed).toMatchObject({ status: 'failed', last_error: { code: 'acceleration_failed' } });
    expect(failed['doubled_keys']).toHaveLength(2);
    expect(failed['doubled_keys']).toEqual(
      expect.arrayContaining([
        ['7', 'secret part'],
        ['8', null],
      ]),
    );
    const tokenFor = (rights: string, more: object): Promise<Credential> =>
      api.embedToken({ role: 'designer', access: { datasets: [{ id: world.id, rights }] }, ...more });
    const shown = async (rights: string, more: object): Promise<boolean> => {
      const { status, body } = await api.call('acceleration', { action: 'get', id }, await tokenFor(rights, more));
      expect(status).toBe(200);
      return JSON.stringify(body).includes('secret part');
    };
    const rowFilter = {
      clause: 'where',
      origin: 'global',
      securable_id: world.id,
      column_id: world.column('id'),
      expression: '? = ?',
      value: 1,
    };
    expect(await shown('own', {})).toBe(true);
    expect(await shown('modify', {})).toBe(false);
    expect(await shown('own', { filters: [rowFilter] })).toBe(false);
    expect(await shown('own', { hidden_columns: [world.column('amount')] })).toBe(false);
    await world.run('delete from events where amount = 2 or part is null');
    expect(await refreshed(api, id)).toMatchObject({ status: 'ready', rows: 1, doubled_keys: [] });
  });

  it('leave out deleted rows wherever they are read', async () => {
    const world = await events('deleted');
    await world.run("insert into events select n, 'a', n, now(), now() from generate_series(1, 100) n");
    const id = await world.accelerate({
      ...keyed(world),
      data_storage_strategy: 'insert-update-delete',
      deleted_at_column_id: world.column('gone_at'),
    });
    await settled(api, id);
    await expectEqual(world);
    await world.run('update events set gone_at = now() where id <= 40');
    await refreshed(api, id);
    await expectEqual(world);
    expect(part(await world.rows(true), 'data')).toEqual([[{ id: 'a', name: { en: 'a' } }, 60, 4230, 4230]]);
  });

  it('equal the source after any changes of its rows', async () => {
    const world = await events('changing');
    const id = await world.accelerate(keyed(world));
    await settled(api, id);
    const random = randomOf(runSeed);
    for (let round = 0; round < counted(6, 60); round += 1) {
      for (let change = 0; change < 5; change += 1) {
        const [from, many] = [random.below(500), 1 + random.below(50)];
        await world.run(
          `insert into events select n, chr(97 + n % 3), ${random.below(1000)}, now(), now() at time zone 'utc'
            from generate_series(${from}, ${from + many}) n
            where not exists (select 1 from events e where e.id = n and e.part = chr(97 + n % 3))`,
        );
        await world.run(
          `update events set amount = ${random.below(1000)}.${random.below(9999)}, changed_at = now() at time zone 'utc'
            where id between ${from} and ${from + random.below(20)}`,
        );
      }
      expect(await refreshed(api, id)).toMatchObject({ status: 'ready', last_error: null });
      await expectEqual(world);
    }
  });

  it.each(['insert', 'insert-update', 'insert-update-delete'])(
    'of a large table equal the source after any changes: %s',
    async (strategy) => {
      const world = await events(`large_${strategy.replaceAll('-', '_')}`);
      const random = randomOf(runSeed);
      const isKeyed = strategy !== 'insert';
      const add = (from: number, count: number): Promise<void> =>
        world.run(
          `insert into events select n, chr(97 + n % 5), n * ${1 + random.below(50)} / 16.0, now(), now() at time zone 'utc'
            from generate_series(${from}, ${from + count - 1}) n`,
        );
      let rowCount = 110_000;
      await add(1, rowCount);
      const id = await world.accelerate(
        isKeyed
          ? {
              ...keyed(world),
              data_storage_strategy: strategy,
              deleted_at_column_id: strategy === 'insert-update-delete' ? world.column('gone_at') : null,
            }
          : {},
      );
      await settled(api, id);
      const changes = [
        () => add(rowCount + 1, 12_000),
        (from: number, until: number) =>
          world.run(
            `update events set amount = amount + ${random.below(1000)}.${random.below(9999)}, changed_at = now() at time zone 'utc'
              where id between ${from} and ${until}`,
          ),
        (from: number, until: number) =>
          world.run(`update events set gone_at = now() where id between ${from} and ${until}`),
      ].slice(0, strategy.split('-').length);
      for (let round = 0; round < counted(2, 25); round += 1) {
        for (const change of changes) {
          const from = random.below(rowCount);
          await change(from, from + random.below(12_000));
        }
        rowCount += 12_000;
        expect(await refreshed(api, id)).toMatchObject({ status: 'ready', last_error: null });
        await expectEqual(world);
      }
    },
  );
});
