import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { bothStores } from '../support/service.ts';
import { part, text } from '../support/world.ts';

const clock = { aheadMs: 0 };

describe.each(bothStores)('repeated and overlapping writes on %s', (store) => {
  const api = useApi(store, {}, () => Date.now() + clock.aheadMs);
  const keyed = (key: string): Record<string, string> => ({ 'idempotency-key': key });
  const tags = async (): Promise<number> => (await api.find('tag', {})).length;

  beforeEach(() => {
    clock.aheadMs = 0;
  });

  it('answer a repetition with what was answered first, and do nothing', async () => {
    const key = randomUUID();
    const body = { properties: { name: { en: 'Once' } } };
    const before = await tags();
    const first = await api.call('tag', body, api.owner, keyed(key));
    const again = await api.call('tag', body, api.owner, keyed(key));
    expect([again.status, again.body, again.headers['etag']]).toEqual([200, first.body, first.headers['etag']]);
    const reordered = await api.call('tag', { action: 'create', ...body }, api.owner, keyed(key));
    expect(reordered.body).toEqual(first.body);
    expect(await tags()).toBe(before + 1);
  });

  it('answer 409 when the key comes with another request', async () => {
    const key = randomUUID();
    await api.call('tag', { properties: { name: { en: 'One' } } }, api.owner, keyed(key));
    const others = [
      ['tag', { properties: { name: { en: 'Two' } } }],
      ['group', { properties: { name: { en: 'One' } } }],
      ['tag', { id: randomUUID(), properties: { name: { en: 'One' } } }],
    ] as const;
    for (const [resource, body] of others) {
      const { status, code } = await api.refused(resource, body, api.owner, keyed(key));
      expect([body, status === 409 ? code : status]).toEqual([body, status === 404 ? 404 : 'idempotency_conflict']);
    }
  });

  it('show a secret again to the repetition, and keep it sealed', async () => {
    const key = randomUUID();
    const secret = `canary-${randomUUID()}`;
    const body = { properties: { name: 'Sealed', token: secret } };
    const first = await api.call('account', body, api.owner, keyed(key));
    const again = await api.call('account', body, api.owner, keyed(key));
    expect([part(first.body, 'token'), part(again.body, 'token')]).toEqual([secret, secret]);
    const token = { properties: { type: 'api' } };
    const made = await api.call('authorization', token, api.owner, keyed(`${key}-2`));
    const repeated = await api.call('authorization', token, api.owner, keyed(`${key}-2`));
    expect(text(repeated.body, 'token')).toBe(text(made.body, 'token'));
  });

  it('repeat an update, a delete and a dissociate', async () => {
    const { id } = await api.create('tag', {});
    const update = { id, properties: { name: { en: 'Changed' } } };
    const key = randomUUID();
    const first = await api.call('tag', update, api.owner, keyed(`${key}-u`));
    await api.update('tag', id, { name: { en: 'Since' } });
    expect((await api.call('tag', update, api.owner, keyed(`${key}-u`))).body).toEqual(first.body);
    expect((await api.get('tag', id))['name']).toEqual({ en: 'Since' });
    const gone = { action: 'delete', id };
    expect((await api.call('tag', gone, api.owner, keyed(`${key}-d`))).body).toEqual({ code: 200 });
    expect((await api.call('tag', gone, api.owner, keyed(`${key}-d`))).body).toEqual({ code: 200 });
    expect((await api.call('tag', gone, api.owner, keyed(`${key}-e`))).status).toBe(404);
    expect((await api.call('tag', update, api.owner, keyed(`${key}-u`))).body).toEqual(first.body);
  });

  it('make one record when the same key comes several times at once', async () => {
    const key = randomUUID();
    const body = { properties: { name: { en: 'At once' } } };
    const before = await tags();
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => api.call('tag', body, api.owner, keyed(key))));
    expect(new Set(answers.map((answer) => text(answer.body, 'id'))).size).toBe(1);
    expect(await tags()).toBe(before + 1);
  });

  it('answer alike when what one key does can be done only once', async () => {
    const { id } = await api.create('tag', {});
    const slug = `at-once-${store}`;
    const writes = [
      ['tag', { action: 'delete', id }],
      ['plugin', { properties: { slug } }],
    ] as const;
    for (const [resource, body] of writes) {
      const key = randomUUID();
      const answers = await Promise.all([1, 2, 3, 4].map(() => api.call(resource, body, api.owner, keyed(key))));
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
      expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    }
  });

  it('keep no refusal, and nothing for somebody else', async () => {
    const key = randomUUID();
    const slug = `later-${store}`;
    const { id } = await api.create('plugin', { slug });
    const body = { properties: { slug } };
    expect((await api.refused('plugin', body, api.owner, keyed(key))).code).toBe('already_taken');
    await api.remove('plugin', id);
    const made = await api.ok('plugin', body, api.owner, keyed(key));
    const other = await api.apiToken(api.owner);
    expect((await api.refused('plugin', body, other, keyed(key))).code).toBe('already_taken');
    expect((await api.ok('plugin', body, api.owner, keyed(key)))['id']).toBe(made['id']);
  });

  it('refuse a key that is empty or too long', async () => {
    for (const key of ['', 'x'.repeat(256)]) {
      expect((await api.refused('tag', { properties: {} }, api.owner, keyed(key))).status).toBe(400);
    }
    const data = [['a'], [1]];
    const rows = { properties: { type: 'create', data, options: { header: true, name: { en: 'A' } } } };
    for (const key of ['', 'x'.repeat(256)]) {
      expect((await api.refused('data', rows, api.owner, keyed(key))).status).toBe(400);
      expect((await api.refused('tag', { find: {} }, api.owner, keyed(key))).status).toBe(400);
    }
    expect((await api.call('tag', { properties: {} }, api.owner, keyed('x'.repeat(255)))).status).toBe(200);
  });

  it('carry the tag of a record, which changes with it', async () => {
    const made = await api.call('tag', { properties: {} });
    const id = text(made.body, 'id');
    const etag = made.headers['etag'];
    expect(etag).toMatch(/^"[^"]+"$/u);
    expect((await api.call('tag', { action: 'get', id })).headers['etag']).toBe(etag);
    const changed = await api.call('tag', { id, properties: { name: { en: 'x' } } }, api.owner, {
      'if-match': etag ?? '',
    });
    expect(changed.status).toBe(200);
    expect(changed.headers['etag']).not.toBe(etag);
    expect((await api.call('tag', { find: {} })).headers).not.toHaveProperty('etag');
  });

  it('refuse an update or delete of a record that has changed since', async () => {
    const made = await api.call('tag', { properties: {} });
    const id = text(made.body, 'id');
    const stale = { 'if-match': made.headers['etag'] ?? '' };
    const fresh = await api.call('tag', { id, properties: { name: { en: 'x' } } });
    for (const body of [
      { id, properties: { name: { en: 'y' } } },
      { action: 'delete', id },
    ]) {
      expect(await api.refused('tag', body, api.owner, stale)).toMatchObject({
        status: 409,
        code: 'precondition_failed',
      });
    }
    expect((await api.get('tag', id))['name']).toEqual({ en: 'x' });
    for (const match of ['*', `"other", ${fresh.headers['etag'] ?? ''}`]) {
      expect((await api.call('tag', { id, properties: {} }, api.owner, { 'if-match': match })).status).toBe(
        match === '*' ? 200 : 409,
      );
    }
  });

  it('let one of several updates with the same tag through', async () => {
    const made = await api.call('tag', { properties: {} });
    const id = text(made.body, 'id');
    const headers = { 'if-match': made.headers['etag'] ?? '' };
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((at) => api.call('tag', { id, properties: { name: { en: `${at}` } } }, api.owner, headers)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4);
  });
});
