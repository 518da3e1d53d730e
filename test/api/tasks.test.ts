import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@inlay/contract';
import { useApi, type Api, type Somebody } from '../support/api.ts';
import { storesToTest, type Credential } from '../support/service.ts';
import { columnsOfDataset } from '../support/shop-database.ts';
import { part, text } from '../support/world.ts';

const later = { prefer: 'respond-async' };
const dayMs = 24 * 3_600_000;

describe.each(storesToTest)('work that is done later on %s', (store) => {
  const clock = { aheadMs: 0 };
  const api = useApi(store, {}, () => Date.now() + clock.aheadMs);
  const data = { id: '', find: {} satisfies JsonObject };
  let member: Somebody;

  async function dataset(rows: readonly (readonly [string, number])[]): Promise<typeof data> {
    const { id } = await api.create('data', {
      type: 'create',
      data: [['region', 'amount'], ...rows],
      options: { header: true },
    });
    const columns = await columnsOfDataset(api, id);
    const on = (name: string): JsonObject => ({ dataset_id: id, column_id: columns.get(name) ?? '' });
    return { id, find: { dimensions: [on('region')], measures: [on('amount')] } };
  }
  const got = async (url: string, by: Credential) => {
    const answer = await api.service.server.inject({
      method: 'GET',
      url,
      headers: { authorization: `Bearer ${by.key}:${by.token}` },
    });
    const { statusCode: status, headers, body } = answer;
    return { status, headers, body };
  };
  async function request(by: Credential, find: JsonObject = data.find): Promise<string> {
    const { status, body, headers } = await api.call('data', { action: 'get', find }, by, later);
    expect(status).toBe(202);
    expect(headers['preference-applied']).toBe('respond-async');
    expect(headers['location']).toBe(`/0.1.0/task/${text(body, 'id')}`);
    return text(body, 'id');
  }
  async function ended(id: string, by: Credential = api.owner): Promise<JsonObject> {
    for (let times = 0; times < 4000; times += 1) {
      const task = await api.get('task', id, by);
      if (!['open', 'inprogress'].includes(text(task, 'status'))) return task;
      await sleep(25);
    }
    throw new Error('the task did not end');
  }
  const fileOf = (id: string): string => `/0.1.0/task/${id}/file`;

  beforeAll(async () => {
    Object.assign(
      data,
      await dataset([
        ['Europe', 10],
        ['Asia', 20],
      ]),
    );
    member = await api.person({ flagMember: true });
    await api.associate('securable', data.id, 'Users', member.id, { flagUse: true });
  });

  it('is a task at once, and a file that says what the answer would have said', async () => {
    const id = await request(api.owner);
    const task = await ended(id);
    expect(task).toMatchObject({
      type: 'data',
      status: 'completed',
      progress: 100,
      attempts: 1,
      error: null,
      user_id: api.userId,
      result: { downloadUrl: fileOf(id), expiresAt: expect.any(String) },
    });
    const { status, headers, body } = await got(fileOf(id), api.owner);
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    const answered = await api.ok('data', { action: 'get', find: data.find });
    expect(part(JSON.parse(body), 'data')).toEqual(answered['data']);
    expect(JSON.parse((await got(`/0.1.0/task/${id}`, api.owner)).body)).toMatchObject({ id, status: 'completed' });
  });

  it('lies encrypted on the disk', async () => {
    const id = await request(api.owner);
    await ended(id);
    const folder = join(api.service.dataDir, 'results', api.organizationId);
    const files = readdirSync(folder).filter((name) => name.startsWith(id));
    expect(files).toHaveLength(1);
    expect(readFileSync(join(folder, files[0] ?? ''), 'latin1')).not.toContain('Europe');
  });

  it('is an export with its type and name too', async () => {
    const properties = { type: 'csv', query: data.find };
    const { status, body } = await api.call('export', { action: 'create', properties }, api.owner, later);
    expect(status).toBe(202);
    expect(await ended(text(body, 'id'))).toMatchObject({ type: 'export', status: 'completed' });
    const file = await got(fileOf(text(body, 'id')), api.owner);
    expect(file.headers['content-type']).toContain('text/csv');
    expect(file.body).toContain('Europe');
  });

  it('is a dashboard of which the task names the record', async () => {
    const dashboard = await api.create('dashboard', { name: { en: 'Sales' } });
    const properties = { type: 'svg', dashboard_id: dashboard.id };
    const { body } = await api.call('export', { action: 'create', properties }, api.owner, later);
    expect(await ended(text(body, 'id'))).toMatchObject({ status: 'completed', entity_id: dashboard.id });
    const file = await got(fileOf(text(body, 'id')), api.owner);
    expect([file.headers['content-type'], file.headers['content-disposition']]).toEqual([
      'image/svg+xml',
      expect.stringContaining('attachment'),
    ]);
  });

  it('is read by its requester and by owners of the organization, and its file is for its requester alone', async () => {
    const other = await api.person({ flagMember: true });
    const stranger = await api.stranger();
    const id = await request(member.login);
    await ended(id, member.login);
    expect(await api.get('task', id)).toMatchObject({ id, user_id: member.id });
    for (const by of [other.login, stranger.login]) {
      expect((await api.refused('task', { action: 'get', id }, by)).status).toBe(404);
      expect((await got(fileOf(id), by)).status).toBe(404);
      expect(await api.find('task', {}, by)).toEqual([]);
    }
    expect((await got(fileOf(id), api.owner)).status).toBe(403);
    expect((await got(fileOf(id), member.login)).status).toBe(200);
    expect((await got(fileOf(id), { key: member.login.key, token: 'wrong' })).status).toBe(401);
  });

  it('is done at once for an embed token, which sees no task', async () => {
    const token = await api.embedToken({ access: { datasets: [{ id: data.id, rights: 'use' }] } });
    const { status, headers, body } = await api.call('data', { action: 'get', find: data.find }, token, later);
    expect([status, headers['preference-applied']]).toEqual([200, undefined]);
    expect(part(body, 'data')).toBeDefined();
    const id = await request(api.owner);
    expect((await api.refused('task', { action: 'get', id }, token)).status).toBe(404);
    expect((await got(fileOf(id), token)).status).toBe(404);
  });

  it('is refused once a right is lost or a row filter has changed, and open again with the same rights', async () => {
    const id = await request(member.login);
    await ended(id, member.login);
    const link = (properties: object): Promise<JsonObject> =>
      api.associate('securable', data.id, 'Users', member.id, properties);
    const column = part(data.find, 'dimensions');
    const filters = [{ expression: '? = ?', parameters: [Array.isArray(column) ? column[0] : null, 'Asia'] }];
    await link({ flagUse: true, filters });
    expect((await got(fileOf(id), member.login)).status).toBe(403);
    await link({ flagUse: true, filters: [] });
    expect((await got(fileOf(id), member.login)).status).toBe(200);
    await api.dissociate('securable', data.id, 'Users', member.id);
    expect(JSON.parse((await got(fileOf(id), member.login)).body)).toMatchObject({ code: 'forbidden' });
    await link({ flagUse: true, filters });
    const filtered = await request(member.login);
    await ended(filtered, member.login);
    const { body } = await got(fileOf(filtered), member.login);
    expect(body).toContain('Asia');
    expect(body).not.toContain('Europe');
    await link({ flagUse: true, filters: [] });
  });

  it('fails with the code and the places of what was wrong, and has no file', async () => {
    const id = await request(api.owner, { measures: [{ dataset_id: data.id, column_id: member.id }] });
    const task = await ended(id);
    expect(task).toMatchObject({
      status: 'failed',
      attempts: 1,
      result: null,
      error: { code: 'column_unknown', message: expect.any(String) },
    });
    expect((await got(fileOf(id), api.owner)).status).toBe(404);
  });

  it('is one task for one Idempotency-Key', async () => {
    const headers = { ...later, 'idempotency-key': 'once' };
    const properties = { type: 'csv', query: data.find };
    const create = (): ReturnType<Api['call']> =>
      api.call('export', { action: 'create', properties }, api.owner, headers);
    const [first, again] = [await create(), await create()];
    expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([202, 202, 'true']);
    expect(text(again.body, 'id')).toBe(text(first.body, 'id'));
    const other = await api.call(
      'export',
      { action: 'create', properties: { ...properties, type: 'ndjson' } },
      api.owner,
      headers,
    );
    expect([other.status, text(other.body, 'code')]).toEqual([409, 'idempotency_conflict']);
    await ended(text(first.body, 'id'));
  });

  it('is deleted with its file a week after its end', async () => {
    const id = await request(api.owner);
    await ended(id);
    clock.aheadMs = 7 * dayMs + 1000;
    expect((await got(fileOf(id), api.owner)).status).toBe(404);
    await api.service.app.service.store.write({
      kind: 'sweep',
      answersBefore: '',
      loginsBefore: '',
      requestsBeforeMs: 0,
      tasksBefore: new Date(Date.now() + dayMs).toISOString(),
    });
    expect((await api.refused('task', { action: 'get', id })).status).toBe(404);
    clock.aheadMs = 0;
  });

  describe('that has not begun', () => {
    const idle = useApi(store);
    const find = { dimensions: [] };
    const ask = (by?: Credential) => idle.call('data', { action: 'get', find }, by, later);
    beforeAll(() => idle.service.app.jobs.stop());

    it('is cancelled by its requester, once', async () => {
      const id = text((await ask()).body, 'id');
      expect(await idle.get('task', id)).toMatchObject({ status: 'open', attempts: 0, started_at: null });
      const refused = await idle.refused('task', { action: 'update', id, properties: { status: 'completed' } });
      expect(refused).toMatchObject({ status: 400, validation: { 'properties.status': [expect.any(String)] } });
      const cancelled = await idle.update('task', id, { status: 'cancelled' });
      expect(cancelled).toMatchObject({ status: 'cancelled', completed_at: expect.any(String) });
      const again = await idle.refused('task', { action: 'update', id, properties: { status: 'cancelled' } });
      expect(again).toMatchObject({ status: 400, code: 'task_finished' });
    });

    it('counts: an organization has at most 100 open tasks, and others are not held up by it', async () => {
      for (let count = 0; count < 100; count += 1) expect((await ask()).status).toBe(202);
      const { status, body, headers } = await ask();
      expect([status, text(body, 'code'), headers['retry-after']]).toEqual([429, 'too_many_tasks', '30']);
      const stranger = await idle.stranger();
      expect((await ask(stranger.login)).status).toBe(202);
      const [open] = await idle.find('task', { where: { status: 'open' }, limit: 1 });
      await idle.update('task', open?.['id'], { status: 'cancelled' });
      expect((await ask()).status).toBe(202);
    });
  });
});
