import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@inlay/contract';
import { sql } from '../../packages/service/src/store/sql.ts';
import { rowsOf, useApi } from '../support/api.ts';
import { startPlugin, type TestPlugin } from '../support/plugin.ts';
import { storesToTest } from '../support/service.ts';
import { text } from '../support/world.ts';

const later = { prefer: 'respond-async' };

describe.each(storesToTest)('a task that runs on %s', (store) => {
  const clock = { aheadMs: 0 };
  const settings = { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_EXPORTS_AT_ONCE: '1', INLAY_TASK_FILES_MB: '1' };
  const api = useApi(store, settings, () => Date.now() + clock.aheadMs);
  let plugin: TestPlugin;
  let query: JsonObject;
  let folder: string;

  beforeAll(async () => {
    plugin = await startPlugin({ protocol: '2.0.0', token: 'good' });
    const registered = await api.create('plugin', {
      slug: 'apollo',
      base_url: plugin.url,
      authorize: 'token',
      protocol_version: '2.0.0',
    });
    const account = await api.create('account', { plugin_id: registered.id, provider: 'apollo', token: 'good' });
    const properties = { account_id: account.id, datasets: ['missions'] };
    const [dataset] = rowsOf(await api.ok('dataprovider', { action: 'create', properties }));
    query = { measures: [{ dataset_id: text(dataset, 'id'), column_id: '*' }] };
    folder = join(api.service.dataDir, 'results', api.organizationId);
  });
  afterEach(() => plugin.clear());
  afterAll(() => plugin.stop());

  const properties = (): JsonObject => ({ type: 'csv', query });
  const request = () => api.call('export', { action: 'create', properties: properties() }, api.owner, later);
  const task = async (id: string): Promise<JsonObject> => api.get('task', id);
  const statusOf = async (id: string): Promise<string> => text(await task(id), 'status');
  const filesOf = (id: string): readonly string[] =>
    existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(id)) : [];

  it('is cancelled: its work is aborted, and no file of it remains', async () => {
    plugin.set('/query', { kind: 'stall' });
    const id = text((await request()).body, 'id');
    await expect.poll(() => plugin.open()).toBe(1);
    expect(await statusOf(id)).toBe('inprogress');
    expect(await api.update('task', id, { status: 'cancelled' })).toMatchObject({ status: 'cancelled' });
    await expect.poll(() => plugin.open()).toBe(0);
    await expect.poll(() => api.service.app.jobs.running).toBe(0);
    expect(await task(id)).toMatchObject({
      status: 'cancelled',
      completed_at: expect.any(String),
      result: null,
      error: null,
    });
    expect(filesOf(id)).toEqual([]);
    expect(await api.service.app.service.store.rows(sql`select id from job where id = ${id}`)).toEqual([]);
    const refused = await api.refused('task', { action: 'update', id, properties: { status: 'cancelled' } });
    expect(refused).toMatchObject({ status: 400, code: 'task_finished' });
  });

  it('waits for the exports of its organization to leave it a place, which counts as no attempt', async () => {
    const { server } = api.service.app;
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    plugin.set('/query', { kind: 'stall' });
    const reader = new AbortController();
    const { key, token } = api.owner;
    const atOnce = fetch(`${url}/0.1.0/export`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}:${token}` },
      body: JSON.stringify({ action: 'create', properties: properties() }),
      signal: reader.signal,
    }).catch(() => null);
    await expect.poll(() => plugin.open()).toBe(1);
    const id = text((await request()).body, 'id');
    // More often than a task is tried.
    for (let times = 0; times < 10; times += 1) {
      clock.aheadMs += 60_000;
      const now = new Date(Date.now() + clock.aheadMs).toISOString();
      const waiting = sql`select attempts from job where id = ${id} and lease is null and due_at > ${now}`;
      api.service.app.jobs.wake();
      await expect.poll(() => api.service.app.service.store.rows(waiting)).toEqual([{ attempts: 0 }]);
    }
    plugin.clear();
    reader.abort();
    await atOnce;
    await expect.poll(() => plugin.open()).toBe(0);
    clock.aheadMs += 60_000;
    api.service.app.jobs.wake();
    await expect.poll(() => statusOf(id)).toBe('completed');
    expect(await task(id)).toMatchObject({ attempts: 1, error: null });
    clock.aheadMs = 0;
  });

  it('is refused while the files of earlier ones take up the space of its organization, and only then', async () => {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'earlier.file');
    writeFileSync(file, '');
    truncateSync(file, 1024 * 1024);
    const { status, body, headers } = await request();
    expect([status, text(body, 'code'), headers['retry-after']]).toEqual([429, 'task_quota_exceeded', '3600']);
    rmSync(file);
    expect((await request()).status).toBe(202);
  });
});
