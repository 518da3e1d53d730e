import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { isList } from '@inlay/contract';
import { Api, useApi } from '../support/api.ts';
import { havePostgresServer, startTestService, storesToTest, type TestService } from '../support/service.ts';
import { openShop, type ShopDatabase } from '../support/shop-database.ts';
import { part, text } from '../support/world.ts';

const minuteMs = 60_000;
/** Due jobs are read when the test triggers it. */
const settings = { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_SYNC_METADATA: 'false' };

/** Reads until the result is as wanted, for at most fifty seconds. */
async function eventually<Read>(read: () => Promise<Read>, wanted: (found: Read) => boolean): Promise<Read> {
  for (let times = 0; times < 1000; times += 1) {
    const found = await read();
    if (wanted(found)) return found;
    await sleep(50);
  }
  return read();
}

describe.runIf(havePostgresServer).each(storesToTest)('metadata of a source on %s', (store) => {
  const clock = { ms: Date.parse('2026-05-01T00:00:00.000Z') };
  const api = useApi(store, settings, store === 'postgres' ? () => clock.ms : Date.now);
  let shop: ShopDatabase;
  beforeAll(async () => {
    shop = await openShop(api);
  });

  const columns = async (): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> =>
    new Map(
      (await api.find('column', { where: { securable_id: shop.datasetId }, order: [['order', 'asc']] })).map(
        (row) => [text(row, 'source_name'), row] as const,
      ),
    );
  const sync = (): Promise<number> => api.service.app.jobs.runDue('metadata sync');

  it('lists the tables of a connection and notes that it was read', async () => {
    const listed = await api.ok('dataprovider', { find: { provider: 'postgresql', account_id: shop.accountId } });
    expect(listed).toMatchObject({
      count: 1,
      rows: [{ id: 'public.orders', name: { en: 'orders' }, schema: 'public', kind: 'table' }],
    });
    expect(await api.get('account', shop.accountId)).toMatchObject({ synced: true, invalid: false });
    expect(
      await api.refused('dataprovider', { find: { provider: 'mysql', account_id: shop.accountId } }),
    ).toMatchObject({ status: 400, validation: { 'find.provider': [expect.any(String)] } });
  });

  it('warns of a user who may write, beside the record, where a reader of the account asks', async () => {
    const warning = { code: 'user_may_write', message: expect.stringContaining('may only read') };
    const listed = (): Promise<unknown> => api.ok('dataprovider', { find: { account_id: shop.accountId } });
    await listed();
    const account = await eventually(
      () => api.get('account', shop.accountId),
      (one) => part(one, 'warnings') !== undefined,
    );
    expect(account).toMatchObject({ warnings: [{ path: 'identifier', ...warning }], warnings_count: 1 });
    expect(await api.get('dataset', shop.datasetId)).toMatchObject({
      warnings: [{ path: 'account_id.identifier', ...warning }],
      warnings_count: 1,
    });
    const token = await api.embedToken({ access: { datasets: [{ id: shop.datasetId, rights: 'use' }] } });
    const seen = await api.ok('dataset', { action: 'get', id: shop.datasetId }, token);
    expect(part(seen, 'id')).toBe(shop.datasetId);
    expect(part(seen, 'warnings')).toBeUndefined();

    // What was answered may be sent back.
    const { warnings, warnings_count } = { warnings: [], warnings_count: 7 };
    await api.update('account', shop.accountId, { warnings, warnings_count, name: 'Shop' });

    await shop.run(
      `create role only_reads_${store} login password 'only reads'; grant select on orders to only_reads_${store}`,
    );
    await api.update('account', shop.accountId, { identifier: `only_reads_${store}`, token: 'only reads' });
    await listed();
    const read = await eventually(
      () => api.get('account', shop.accountId),
      (one) => part(one, 'warnings') === undefined,
    );
    expect(read).toMatchObject({ user_may_write: false });
    expect(part(await api.get('dataset', shop.datasetId), 'warnings')).toBeUndefined();
    await api.update('account', shop.accountId, { identifier: shop.url.username, token: 'none' });
  });

  it('becomes a dataset with columns named for people', async () => {
    expect(await api.get('dataset', shop.datasetId)).toMatchObject({
      name: { en: 'Orders' },
      type: 'dataset',
      subtype: 'postgresql',
      source_dataset: 'public.orders',
      storage: 'client',
      account_id: shop.accountId,
    });
    const found = [...(await columns()).values()];
    expect(found.map(({ source_name, name, type, order }) => [source_name, part(name, 'en'), type, order])).toEqual([
      ['id', 'Id', 'numeric', 0],
      ['region', 'Region', 'hierarchy', 1],
      ['unitPrice', 'Unit price', 'numeric', 2],
      ['ordered_at', 'Ordered at', 'datetime', 3],
      ['customer_id', 'Customer id', 'numeric', 4],
    ]);
  });

  it('makes all datasets that were asked for or none', async () => {
    const before = await api.findIds('dataset', {});
    const properties = { account_id: shop.accountId, datasets: ['public.orders', 'public.nothing'] };
    expect(await api.refused('dataprovider', { properties })).toMatchObject({
      status: 400,
      code: 'reference_unknown',
      validation: { 'properties.datasets[1]': [expect.any(String)] },
    });
    expect(await api.findIds('dataset', {})).toEqual(before);
  });

  it('makes datasets once for one Idempotency-Key', async () => {
    const properties = { account_id: shop.accountId, datasets: ['public.orders'] };
    const headers = { 'idempotency-key': 'once' };
    const [first, second] = [
      await api.call('dataprovider', { properties }, api.owner, headers),
      await api.call('dataprovider', { properties }, api.owner, headers),
    ];
    expect(part(second.body, 'rows')).toEqual(part(first.body, 'rows'));
    const rows = part(first.body, 'rows');
    await api.remove('dataset', text(isList(rows) ? rows[0] : null, 'id'));
  });

  it('follows the source when asked to, and keeps what people set', async () => {
    const before = await columns();
    await api.update('column', text(before.get('region'), 'id'), { name: { en: 'Area' }, color: '#123456', order: 7 });
    await api.update('column', text(before.get('id'), 'id'), { type: 'hierarchy' });
    await shop.run(`alter table orders add column note text;
      alter table orders drop column customer_id; alter table orders alter column "unitPrice" type text`);
    const answer = await api.update('dataset', shop.datasetId, { update_metadata: true });
    expect(answer['last_metadata_sync_at']).toMatch(/^2026-/u);
    expect(Object.keys(answer)).not.toContain('update_metadata');
    const after = await columns();
    expect(after.get('region')).toMatchObject({
      id: before.get('region')?.['id'],
      name: { en: 'Area' },
      color: '#123456',
    });
    expect(after.get('id')).toMatchObject({ type: 'hierarchy' });
    expect(after.get('unitPrice')).toMatchObject({ type: 'hierarchy', name: { en: 'Unit price' } });
    expect(after.get('note')).toMatchObject({ type: 'hierarchy', name: { en: 'Note' }, order: 8, hidden: false });
    expect(after.get('customer_id')).toMatchObject({ hidden: true });
    const find = { dimensions: [shop.column('customer_id')] };
    expect(await api.refused('data', { action: 'get', find })).toMatchObject({ code: 'column_unknown' });
    await shop.run('alter table orders add column customer_id integer');
    await api.update('dataset', shop.datasetId, { update_metadata: true });
    expect((await columns()).get('customer_id')).toMatchObject({
      id: before.get('customer_id')?.['id'],
      hidden: false,
    });
    await api.ok('data', { action: 'get', find });
  });

  it('keeps a column that a second record names too, for the filters and dashboards that name its own', async () => {
    const id = text((await columns()).get('region'), 'id');
    const again = { securable_id: shop.datasetId, type: 'hierarchy', name: { en: 'Again' }, source_name: 'region' };
    const second = await api.create('column', again);
    await api.update('dataset', shop.datasetId, { update_metadata: true });
    for (const one of [id, second.id]) {
      expect(await api.get('column', one)).toMatchObject({ source_name: 'region', hidden: false });
      const find = { dimensions: [{ dataset_id: shop.datasetId, column_id: one }] };
      await api.ok('data', { action: 'get', find });
    }
    await api.remove('column', second.id);
  });

  it('changes only the time of the last attempt where the source cannot be read', async () => {
    await api.update('account', shop.accountId, { port: '1', token: 'none' });
    const before = await api.get('dataset', shop.datasetId);
    clock.ms += 1;
    const body = { id: shop.datasetId, properties: { update_metadata: true, cache: 5 } };
    expect(await api.refused('dataset', body)).toMatchObject({ status: 502, code: 'source_failed' });
    const after = await api.get('dataset', shop.datasetId);
    const { last_metadata_sync_attempt_at, updated_at } = after;
    expect(after).toEqual({ ...before, last_metadata_sync_attempt_at, updated_at });
    const [attemptedAt, attemptedBefore] = [after, before].map((one) => text(one, 'last_metadata_sync_attempt_at'));
    expect(attemptedAt).not.toBe(attemptedBefore);
    await api.update('account', shop.accountId, { port: shop.url.port, token: 'none' });
  });

  // The embedded store writes in a thread with a clock of its own.
  describe.runIf(store === 'postgres')('as time goes by', () => {
    it('is read again after the interval, and not before', async () => {
      await sync();
      await shop.run('alter table orders add column later date');
      clock.ms += 59 * minuteMs;
      await sync();
      expect([...(await columns()).keys()]).not.toContain('later');
      clock.ms += 2 * minuteMs;
      expect(await sync()).toBe(1);
      expect((await columns()).get('later')).toMatchObject({ type: 'datetime', subtype: 'date' });
      expect(await api.get('dataset', shop.datasetId)).toMatchObject({
        last_metadata_sync_at: new Date(clock.ms).toISOString(),
        last_metadata_sync_attempt_at: new Date(clock.ms).toISOString(),
      });
      expect(await sync()).toBe(0);
    });

    it('is left alone where the dataset or the account says so', async () => {
      await api.update('dataset', shop.datasetId, { meta_sync_enabled: false });
      clock.ms += 120 * minuteMs;
      const { last_metadata_sync_attempt_at: at } = await api.get('dataset', shop.datasetId);
      await sync();
      expect((await api.get('dataset', shop.datasetId))['last_metadata_sync_attempt_at']).toBe(at);
      await api.update('dataset', shop.datasetId, { meta_sync_enabled: true });
      clock.ms += 61 * minuteMs;
      expect(await sync()).toBe(1);
      expect((await api.get('dataset', shop.datasetId))['last_metadata_sync_attempt_at']).not.toBe(at);
    });

    it('notes a failure, tries again later, and waits longer the longer it fails', async () => {
      await api.update('account', shop.accountId, { identifier: 'nobody_here', token: 'none' });
      const { last_metadata_sync_at: read } = await api.get('dataset', shop.datasetId);
      clock.ms += 61 * minuteMs;
      expect(await sync()).toBe(1);
      const { last_metadata_sync_at, last_metadata_sync_attempt_at } = await api.get('dataset', shop.datasetId);
      expect([last_metadata_sync_at, last_metadata_sync_attempt_at]).toEqual([read, new Date(clock.ms).toISOString()]);
      await expect.poll(() => api.get('account', shop.accountId)).toMatchObject({ invalid: true });
      expect(await sync()).toBe(0);
      clock.ms += 62 * minuteMs;
      expect(await sync()).toBe(1);
      clock.ms += 62 * minuteMs;
      expect(await sync()).toBe(0);
      await api.update('account', shop.accountId, { identifier: shop.url.username, token: 'none' });
      await api.ok('data', { action: 'get', find: { measures: [shop.column('*')] } });
      await expect.poll(() => api.get('account', shop.accountId)).toMatchObject({ invalid: false });
    });
  });
});

describe.runIf(havePostgresServer)('several instances', () => {
  it('leave a dataset that is due to one of them', async () => {
    const clock = { ms: Date.parse('2026-05-01T00:00:00.000Z') };
    const first = new Api();
    await first.start('postgres', settings, () => clock.ms);
    const { databaseUrl } = first.service;
    const second = await startTestService({
      store: 'postgres',
      settings,
      now: () => clock.ms,
      dataDir: first.service.dataDir,
      ...(databaseUrl === undefined ? {} : { databaseUrl }),
    });
    const shop = await openShop(first);
    const more = { account_id: shop.accountId, datasets: Array.from({ length: 10 }, () => 'public.orders') };
    await first.ok('dataprovider', { properties: more });
    clock.ms += 61 * minuteMs;
    const sync = ({ app }: TestService): Promise<number> => app.jobs.runDue('metadata sync');
    const counts = await Promise.all([sync(first.service), sync(second)]);
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(11);
    await second.stop();
    await first.stop();
  });
});
