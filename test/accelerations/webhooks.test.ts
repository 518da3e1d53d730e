import { beforeAll, describe, expect, it } from 'vitest';
import { settled } from '../support/accelerations.ts';
import { useApi } from '../support/api.ts';
import { havePostgresServer, storesToTest } from '../support/service.ts';
import { openShop, type ShopDatabase } from '../support/shop-database.ts';
import { text } from '../support/world.ts';

describe.runIf(havePostgresServer).each(storesToTest)('the address for refreshes on %s', (store) => {
  const log: string[] = [];
  const settings = { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_SYNC_METADATA: 'false' };
  const api = useApi(store, settings, undefined, undefined, (line) => log.push(line));
  let shop: ShopDatabase;
  let id = '';
  let path = '';
  beforeAll(async () => {
    shop = await openShop(api);
    const made = await api.create('acceleration', { securable_id: shop.datasetId, webhook: true });
    ({ id } = made);
    path = text(made, 'webhook_path');
    await settled(api, id);
  });

  const post = async (url: string, body = '', type = ''): Promise<number> =>
    (
      await api.service.server.inject({
        method: 'POST',
        url,
        payload: body,
        headers: type === '' ? {} : { 'content-type': type },
      })
    ).statusCode;

  it.each([
    ['nothing', '', ''],
    ['JSON', '{"run": 1}', 'application/json'],
    ['a form', 'run=1', 'application/x-www-form-urlencoded'],
  ])('refreshes when it is called with %s', async (_, body, type) => {
    const before = text(await api.get('acceleration', id), 'data_as_of');
    expect(await post(path, body, type)).toBe(202);
    expect(text(await settled(api, id), 'data_as_of') > before).toBe(true);
  });

  it('is shown once, stored hashed, and says nothing about others', async () => {
    const record = await api.get('acceleration', id);
    const secret = path.slice('/hooks/'.length);
    expect(JSON.stringify(record)).not.toContain(secret);
    expect(record).not.toHaveProperty('webhook_hash');
    expect(record['webhook_set_at']).not.toBeNull();
    expect(log.join('')).not.toContain(secret);
    expect((await api.update('acceleration', id, { late_rows_seconds: 61 }))['webhook_path']).toBeNull();
    const other = `${secret.startsWith('A') ? 'B' : 'A'}${secret.slice(1)}`;
    for (const unknown of [
      `/hooks/${other}`,
      `/hooks/${id}`,
      '/hooks/',
      '/hooks/x',
      `${path}/more`,
      `/hooks/${secret}0`,
    ])
      expect(await post(unknown), unknown).toBe(404);
    expect((await api.service.server.inject({ method: 'GET', url: path })).statusCode).not.toBe(200);
  });

  it('ends when another one is created, and when it is given up', async () => {
    const next = text(await api.update('acceleration', id, { webhook: true }), 'webhook_path');
    expect(next).not.toBe(path);
    expect([await post(path), await post(next)]).toEqual([404, 202]);
    expect(await api.update('acceleration', id, { webhook: null })).toMatchObject({ webhook_path: null });
    expect(await post(next)).toBe(202);
    expect(await api.update('acceleration', id, { webhook: false })).toMatchObject({ webhook_set_at: null });
    expect(await post(next)).toBe(404);
  });

  it('requests one refresh, however often it is called while one waits', async () => {
    const webhook = text(await api.update('acceleration', id, { webhook: true }), 'webhook_path');
    await api.service.app.jobs.stop();
    const requestedAt = { next_run_at: new Date(Date.now() - 60_000).toISOString() };
    await api.overwrite('acceleration', id, requestedAt, requestedAt);
    expect([await post(webhook), await post(webhook)]).toEqual([202, 202]);
    expect(await api.get('acceleration', id)).toMatchObject(requestedAt);
    const plannedAt = { next_run_at: '2999-01-01T00:00:00.000Z' };
    await api.overwrite('acceleration', id, plannedAt, plannedAt);
    expect(await post(webhook)).toBe(202);
    expect(text(await api.get('acceleration', id), 'next_run_at') <= new Date().toISOString()).toBe(true);
  });
});
