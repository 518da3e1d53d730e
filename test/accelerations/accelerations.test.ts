import { rmSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { refreshed, settled } from '../support/accelerations.ts';
import { useApi } from '../support/api.ts';
import { havePostgresServer, storesToTest } from '../support/service.ts';
import { openShop, type ShopDatabase } from '../support/shop-database.ts';
import { part, text } from '../support/world.ts';

describe.runIf(havePostgresServer).each(storesToTest)('an acceleration on %s', (store) => {
  const log: string[] = [];
  const settings = { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_SYNC_METADATA: 'false', INLAY_SLOW_QUERY_MS: '0' };
  const api = useApi(store, settings, undefined, undefined, (line) => log.push(line));
  let shop: ShopDatabase;
  let id = '';
  beforeAll(async () => {
    shop = await openShop(api);
    id = (await api.create('acceleration', { securable_id: shop.datasetId })).id;
  });

  const ask = (more: object = {}): Promise<object> =>
    api.ok('data', {
      action: 'get',
      find: {
        dimensions: [shop.column('region')],
        measures: [shop.column('unitPrice', { aggregation: { type: 'sum' } })],
        ...more,
      },
    });
  const regions = [
    [{ id: 'North', name: { en: 'North' } }, 15.5],
    [{ id: 'South', name: { en: 'South' } }, 20],
    [null, 1],
  ];

  it('answers queries from the copy after its first refresh, and says of when the rows are', async () => {
    const ready = await settled(api, id);
    expect(ready).toMatchObject({ status: 'ready', rows: 4, last_error: null, next_run_at: null, failures: 0 });
    const answer = await ask();
    expect(answer).toMatchObject({ source: 'engine', data_as_of: ready['data_as_of'], data: regions });
    expect(await api.get('dataset', shop.datasetId)).toMatchObject({ acceleration_id: id });
    expect(
      await api.find('dataset', { where: { id: shop.datasetId }, include: [{ model: 'Acceleration' }] }),
    ).toMatchObject([{ acceleration: { id, status: 'ready' } }]);
  });

  it('keeps its rows until it is refreshed', async () => {
    await shop.run("insert into orders values (5, 'South', 100, '2024-03-01T00:00:00Z', 2)");
    expect(await ask()).toMatchObject({ source: 'engine', data: regions });
    expect(await ask({ options: { max_age: 0 } })).toMatchObject({ source: 'pushdown' });
    await expect.poll(() => log.find((line) => line.includes('slow query') && line.includes('pushdown'))).toBeDefined();
    const slow = log.filter((line) => line.includes('slow query')).map((line): unknown => JSON.parse(line));
    expect(slow).toContainEqual(expect.objectContaining({ source: 'pushdown', copy_miss: 'too_old' }));
    expect(slow).toContainEqual(expect.not.objectContaining({ copy_miss: expect.anything() }));
    const before = await api.get('acceleration', id);
    const after = await refreshed(api, id);
    expect(after).toMatchObject({ status: 'ready', rows: 5 });
    expect(text(after, 'data_as_of') > text(before, 'data_as_of')).toBe(true);
    expect(part(await ask(), 'data')).toContainEqual([{ id: 'South', name: { en: 'South' } }, 120]);
  });

  it('hides the rows that the row filters of a token hide', async () => {
    const token = await api.embedToken({
      access: { datasets: [{ id: shop.datasetId, rights: 'use' }] },
      filters: [
        {
          clause: 'where',
          origin: 'global',
          securable_id: shop.datasetId,
          column_id: shop.columnId('region'),
          expression: '? = ?',
          value: 'North',
        },
      ],
    });
    const find = { measures: [shop.column('unitPrice', { aggregation: { type: 'sum' } })] };
    expect(await api.ok('data', { action: 'get', find }, token)).toMatchObject({ source: 'engine', data: [[15.5]] });
  });

  it('does not answer tokens that replace the connection', async () => {
    const token = await api.embedToken({
      access: { datasets: [{ id: shop.datasetId, rights: 'use' }] },
      account_overrides: { [shop.accountId]: { scope: shop.url.pathname.slice(1) } },
    });
    const find = { measures: [shop.column('unitPrice', { aggregation: { type: 'sum' } })] };
    expect(await api.ok('data', { action: 'get', find }, token)).toMatchObject({ source: 'pushdown' });
  });

  it('stays in use, as of its time, where a refresh fails', async () => {
    const before = await api.get('acceleration', id);
    await shop.run('alter table orders rename to hidden_orders');
    const failed = await refreshed(api, id);
    expect(failed).toMatchObject({ status: 'failed', failures: 1, last_error: { code: 'source_failed' } });
    expect(failed['next_run_at']).not.toBeNull();
    expect(await ask()).toMatchObject({ source: 'engine', data_as_of: before['data_as_of'] });
    await shop.run('alter table hidden_orders rename to orders');
    expect(await refreshed(api, id)).toMatchObject({ status: 'ready', failures: 0, last_error: null });
  });

  it('gives way to the source where its file is gone, and is made anew', async () => {
    rmSync(join(api.service.dataDir, 'datasets', api.organizationId, id), { recursive: true });
    await expect.poll(async () => part(await ask(), 'source')).toBe('pushdown');
    expect(await refreshed(api, id)).toMatchObject({ status: 'ready' });
    expect(await ask()).toMatchObject({ source: 'engine' });
  });

  it('gives way to the source where the account is another', async () => {
    await api.update('account', shop.accountId, { name: 'Another name' });
    expect(await ask()).toMatchObject({ source: 'pushdown' });
    await refreshed(api, id);
    expect(await ask()).toMatchObject({ source: 'engine' });
  });

  it('is the only one of its dataset, and is refused where it cannot be made', async () => {
    expect(await api.refused('acceleration', { properties: { securable_id: shop.datasetId } })).toMatchObject({
      status: 400,
      code: 'acceleration_exists',
    });
    const stored = await api.ok('data', {
      properties: { type: 'create', data: [['a'], [1]], options: { header: true } },
    });
    const rows: unknown = part(stored, 'rows');
    const datasetId = text(Array.isArray(rows) ? rows[0] : null, 'id');
    expect(
      await api.refused('acceleration', {
        properties: {
          securable_id: datasetId,
          load_type: 'delta',
          data_storage_strategy: 'insert-update',
          created_at_column_id: shop.columnId('ordered_at'),
          primary_key_column_ids: [5, 'id'],
          schedule: { frequency_unit: 'often', frequency_quantity: 0 },
        },
      }),
    ).toMatchObject({
      status: 400,
      validation: {
        'properties.primary_key_column_ids[0]': [expect.any(String)],
        'properties.primary_key_column_ids[1]': [expect.any(String)],
        'properties.schedule.frequency_unit': [expect.stringContaining('minutes')],
        'properties.schedule.frequency_quantity': [expect.stringContaining('from 1')],
      },
    });
  });

  it('is refreshed by its schedule, and no longer once it has none', async () => {
    const hourly = { frequency_unit: 'hours', frequency_quantity: 1 };
    const planned = await api.update('acceleration', id, { schedule: hourly });
    const inMs = Date.parse(text(planned, 'next_run_at')) - Date.now();
    expect(Math.abs(inMs - 3_600_000)).toBeLessThan(600_000);
    await api.overwrite(
      'acceleration',
      id,
      { next_run_at: '2026-01-01T00:00:00.000Z' },
      { next_run_at: '2026-01-01T00:00:00.000Z' },
    );
    const before = text(await api.get('acceleration', id), 'data_as_of');
    await api.service.app.jobs.runDue('refresh');
    const after = await settled(api, id);
    expect(text(after, 'data_as_of') > before).toBe(true);
    expect(text(after, 'next_run_at') > new Date().toISOString()).toBe(true);
    expect(await api.update('acceleration', id, { schedule: null })).toMatchObject({ next_run_at: null });
  });

  it('is refreshed or cancelled by true or false alone', async () => {
    await api.update('acceleration', id, { schedule: { frequency_unit: 'days', frequency_quantity: 1 } });
    const at = { next_run_at: '2999-01-01T00:00:00.000Z' };
    await api.overwrite('acceleration', id, at, at);
    const unchanged = { next_run_at: at.next_run_at, status: 'ready' };
    expect(await api.update('acceleration', id, { refresh: null })).toMatchObject(unchanged);
    expect(await api.update('acceleration', id, {})).toMatchObject(unchanged);
    expect(await api.refused('acceleration', { id, properties: { refresh: 0 } })).toMatchObject({ status: 400 });
    expect(await api.update('acceleration', id, { schedule: null })).toMatchObject({ next_run_at: null });
  });

  it('stops a refresh that is cancelled, and keeps the copy', async () => {
    const before = await api.get('acceleration', id);
    // Nobody reads the table while it is locked.
    const locked = postgres(shop.url.href, { max: 1, onnotice: () => undefined });
    await locked.unsafe('begin; lock table orders in access exclusive mode');
    await api.update('acceleration', id, { refresh: true });
    await expect.poll(async () => (await api.get('acceleration', id))['status']).toBe('refreshing');
    expect(await api.update('acceleration', id, { refresh: false })).toMatchObject({
      status: 'ready',
      next_run_at: null,
    });
    await expect.poll(() => api.service.app.jobs.running).toBe(0);
    await locked.unsafe('rollback');
    await locked.end();
    expect(await api.get('acceleration', id)).toMatchObject({ status: 'ready', data_as_of: before['data_as_of'] });
    expect(await ask()).toMatchObject({ source: 'engine', data_as_of: before['data_as_of'] });
  });

  it('is deleted with its copy', async () => {
    await api.ok('acceleration', { action: 'delete', id });
    expect(await api.get('dataset', shop.datasetId)).toMatchObject({ acceleration_id: null });
    expect(await ask()).toMatchObject({ source: 'pushdown' });
    await expect.poll(() => api.service.app.engine.usedBytes(api.organizationId, null)).toBeLessThan(100_000);
  });
});
