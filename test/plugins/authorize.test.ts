import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Api, useApi, type Made } from '../support/api.ts';
import { startPlugin, type Misbehaviour, type TestPlugin } from '../support/plugin.ts';
import { storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';

const mask = '********';

const held: { plugin?: TestPlugin; other?: TestPlugin; oauth2?: TestPlugin } = {};
const running = (name: keyof typeof held): TestPlugin => {
  const plugin = held[name];
  if (plugin === undefined) throw new Error('the plugin is not started');
  return plugin;
};

beforeAll(async () => {
  held.plugin = await startPlugin({ token: 'good' });
  held.other = await startPlugin();
  held.oauth2 = await startPlugin({ authUrl: 'https://consent.example.com/?client=1' });
});
afterAll(() => Promise.all(Object.values(held).map((plugin) => plugin.stop())));
afterEach(() => {
  for (const plugin of Object.values(held)) plugin.clear();
});

const register = (api: Api, properties: object = {}, at: keyof typeof held = 'plugin'): Promise<Made> =>
  api.create('plugin', {
    slug: `p-${randomUUID()}`,
    base_url: running(at).url,
    authorize: 'token',
    secret: 'of the plugin',
    ...properties,
  });

const lastOf = (plugin: TestPlugin) => {
  const request = plugin.requests.at(-1);
  if (request === undefined) throw new Error('the plugin was not asked');
  return request;
};

describe.each(storesToTest)('an account of a plugin on %s', (store) => {
  const api = useApi(store, { INLAY_ALLOW_PRIVATE_HOSTS: 'true' });

  it('is made once the plugin lets it in, who is told everything as header and member', async () => {
    const plugin = await register(api, { properties: { Region: { type: 'text' }, ApiKey: { secret: true } } });
    const made = await api.create('account', {
      plugin_id: plugin.id,
      host: 'warehouse',
      identifier: 'me',
      token: 'good',
      properties: { Region: 'eu – zürich', ApiKey: 'canary-key' },
    });
    expect(made).toMatchObject({ token: 'good', properties: { Region: 'eu – zürich', ApiKey: 'canary-key' } });
    const { method, path, headers, body } = lastOf(running('plugin'));
    expect([method, path]).toEqual(['POST', '/authorize']);
    expect(headers).toMatchObject({
      'x-secret': 'of the plugin',
      'x-host': 'warehouse',
      'x-key': 'me',
      'x-token': 'good',
      'x-property-region': 'eu %E2%80%93 z%C3%BCrich',
      'x-property-apikey': 'canary-key',
    });
    expect(body).toMatchObject({
      host: 'warehouse',
      key: 'me',
      token: 'good',
      user: { id: api.userId, name: 'First owner', email: 'first@example.com' },
    });
    expect(await api.get('account', made.id)).toMatchObject({
      token: mask,
      properties: { Region: 'eu – zürich', ApiKey: mask },
    });
  });

  it('is refused in the words of the plugin, without what is secret in them', async () => {
    const plugin = await register(api);
    const properties = { plugin_id: plugin.id, token: 'a-wrong-token' };
    const refusal = await api.refused('account', { properties });
    expect(refusal).toMatchObject({ status: 400, code: 'plugin_refused' });
    expect(JSON.stringify(refusal.validation['properties.plugin_id'])).toContain('The token is wrong.');
    const says = (body: string, type = 'text/plain', status = 400): Misbehaviour => ({
      kind: 'answer',
      status,
      type,
      body,
    });
    const elsewhere = running('other').requests.length;
    const cases: readonly (readonly [Misbehaviour, string])[] = [
      [says('no\u0000 such\r\n\u001b[2Jtenant of a-wrong-token'), 'says: no such [2Jtenant of …'],
      [says('<h1>inside</h1>', 'text/html', 500), 'says: status 500'],
      [says('{"error":{"message":"over quota"}}', 'application/json', 503), 'says: over quota'],
      [says('x'.repeat(5000)), `says: ${'x'.repeat(300)}`],
      [{ kind: 'redirect', to: running('other').url }, 'says: status 302'],
    ];
    for (const [how, words] of cases) {
      running('plugin').set('/authorize', how);
      const { status, validation } = await api.refused('account', { properties });
      expect([how, status, validation]).toEqual([
        how,
        400,
        { 'properties.plugin_id': [`the plugin "${text(plugin, 'slug')}" ${words}`] },
      ]);
    }
    expect(running('other').requests).toHaveLength(elsewhere);
    expect(await api.findIds('account', { where: { plugin_id: plugin.id } })).toEqual([]);
  });

  it('is made where the plugin knows no /authorize, and without a call where it wants none', async () => {
    const plugin = await register(api);
    running('plugin').set('/authorize', { kind: 'answer', status: 404, body: '{}' });
    await api.create('account', { plugin_id: plugin.id });
    running('plugin').clear();
    const before = running('plugin').requests.length;
    const free = await register(api, { authorize: 'none' });
    await api.create('account', { plugin_id: free.id });
    await api.create('account', { provider: 'postgresql', token: 'x' });
    expect(running('plugin').requests).toHaveLength(before);
  });

  it('is not made while the plugin cannot be reached, and the answer names it', async () => {
    const cases: readonly (readonly [Misbehaviour, number, string])[] = [
      [{ kind: 'reset' }, 502, 'plugin_failed'],
      [{ kind: 'flood', start: '{"a":"', piece: 'x'.repeat(65_536) }, 502, 'plugin_failed'],
    ];
    for (const [how, status, code] of cases) {
      const plugin = await register(api, { base_url: running('other').url });
      running('other').set('/authorize', how);
      const answer = await api.call('account', { properties: { plugin_id: plugin.id, token: 'canary-token' } });
      expect([how, answer.status, part(answer.body, 'code')]).toEqual([how, status, code]);
      expect(text(answer.body, 'message')).toContain(`The plugin "${text(plugin, 'slug')}"`);
      expect(JSON.stringify(answer.body)).not.toContain('canary');
    }
    const gone = await startPlugin();
    await gone.stop();
    const plugin = await register(api, { base_url: gone.url });
    expect(await api.refused('account', { properties: { plugin_id: plugin.id } })).toMatchObject({
      status: 502,
      code: 'plugin_failed',
    });
  });

  it('asks again when something the plugin is told changes, and not otherwise', async () => {
    const plugin = await register(api, { properties: { key: { secret: true } } });
    const { id } = await api.create('account', { plugin_id: plugin.id, token: 'good', properties: { key: 'k' } });
    const asked = async (properties: object): Promise<number> => {
      const before = running('plugin').requests.length;
      await api.update('account', id, properties);
      return running('plugin').requests.length - before;
    };
    expect(await asked({ name: 'Renamed', cache: 60, active: false })).toBe(0);
    expect(await asked(await api.get('account', id))).toBe(0);
    expect(await asked({ identifier: 'me' })).toBe(1);
    expect(lastOf(running('plugin')).headers).toMatchObject({
      'x-token': 'good',
      'x-key': 'me',
      'x-property-key': 'k',
    });
    expect(await asked({ properties: { key: mask, region: 'eu' } })).toBe(1);
    expect(lastOf(running('plugin')).headers).toMatchObject({ 'x-property-key': 'k', 'x-property-region': 'eu' });
    const refusal = await api.refused('account', { id, properties: { token: 'wrong' } });
    expect(refusal).toMatchObject({ status: 400, code: 'plugin_refused' });
    expect(await api.get('account', id)).toMatchObject({ token: mask, identifier: 'me' });
  });

  it('sends no stored secret to another plugin', async () => {
    const first = await register(api, { properties: { key: { secret: true } } });
    const second = await register(api, { properties: { key: { secret: true } } }, 'other');
    const properties = { key: 'canary-key', region: 'eu' };
    const { id } = await api.create('account', { plugin_id: first.id, token: 'good', properties });
    const moved = await api.update('account', id, { plugin_id: second.id });
    expect(moved).toMatchObject({ token: null, properties: { key: null, region: 'eu' } });
    const sent = lastOf(running('other'));
    expect(sent.headers).not.toHaveProperty('x-token');
    expect(sent.headers).not.toHaveProperty('x-property-key');
    expect(JSON.stringify(sent)).not.toMatch(/canary|good/u);
  });

  it('keeps what its plugin calls secret sealed: masked, kept by its mask, cleared by null or by leaving it out', async () => {
    const plugin = await register(api, { authorize: 'none', properties: { key: { secret: true } } });
    const { id } = await api.create('account', { plugin_id: plugin.id, properties: { key: 'canary-1', a: 1 } });
    const change = async (properties: object | null): Promise<unknown> =>
      part(await api.update('account', id, { properties }), 'properties');
    expect(await change({ key: mask, a: 2 })).toEqual({ key: mask, a: 2 });
    expect(await change({ key: 'canary-2' })).toEqual({ key: 'canary-2' });
    expect(part(await api.get('account', id), 'properties')).toEqual({ key: mask });
    expect(await change({ key: null })).toEqual({ key: null });
    expect(await change({ key: mask })).toEqual({ key: null });
    expect(await change({ key: 'canary-3' })).toEqual({ key: 'canary-3' });
    expect(await change({ b: 1 })).toEqual({ b: 1 });
    expect(await change({ b: 1, key: mask })).toEqual({ b: 1, key: null });
    for (const properties of [{ key: mask }, { key: 7 }]) {
      const refusal = await api.refused('account', { properties: { plugin_id: plugin.id, properties } });
      expect([properties, refusal.status, Object.keys(refusal.validation)]).toEqual([
        properties,
        400,
        ['properties.properties.key'],
      ]);
    }
  });

  it('keeps a secret that was stored before its plugin called it one, and one that it no longer calls so', async () => {
    const plugin = await register(api, { authorize: 'none' });
    const { id } = await api.create('account', { plugin_id: plugin.id, properties: { key: 'canary-plain' } });
    await api.update('plugin', plugin.id, { properties: { key: { secret: true } } });
    expect(part(await api.update('account', id, { name: 'Sealed now' }), 'properties')).toEqual({ key: mask });
    await api.update('plugin', plugin.id, { properties: {} });
    expect(part(await api.update('account', id, { name: 'Still' }), 'properties')).toEqual({ key: mask });
    expect(part(await api.get('account', id), 'properties')).toEqual({ key: mask });
  });

  it('of an oauth2 plugin says where to consent, and keeps sealed what the code is exchanged for', async () => {
    const plugin = await register(api, { authorize: 'oauth2' }, 'oauth2');
    const made = await api.create('account', { plugin_id: plugin.id, properties: { region: 'eu' } });
    expect(made).toMatchObject({
      token: null,
      code: null,
      properties: { region: 'eu', auth_url: 'https://consent.example.com/?client=1' },
    });
    const wrong = await api.refused('account', { id: made.id, properties: { code: 'bad-code' } });
    expect(wrong).toMatchObject({ status: 400, code: 'plugin_refused' });
    expect(wrong.validation).toHaveProperty(['properties.code']);
    const exchanged = await api.update('account', made.id, { code: 'good-code' });
    expect(exchanged).toMatchObject({
      code: 'good-code',
      token: mask,
      identifier: 'exchanged-key',
      properties: { region: 'eu' },
    });
    const request = lastOf(running('oauth2'));
    expect([request.path, request.body['code']]).toEqual(['/exchange', 'good-code']);
    const stored = await api.get('account', made.id);
    expect(stored).toMatchObject({ code: mask, token: mask, properties: { region: 'eu' } });
    const count = running('oauth2').requests.length;
    await api.update('account', made.id, { code: mask, name: 'Echoed' });
    expect(running('oauth2').requests).toHaveLength(count);
    const at = await api.create('account', { plugin_id: plugin.id, code: 'good-code' });
    expect(at).toMatchObject({ token: mask, identifier: 'exchanged-key' });
  });

  it('is answered again for an Idempotency-Key without asking the plugin again', async () => {
    const plugin = await register(api, { authorize: 'oauth2' }, 'oauth2');
    const made = await api.create('account', { plugin_id: plugin.id });
    const key = { 'idempotency-key': randomUUID() };
    const body = { id: made.id, properties: { code: 'good-code' } };
    const first = await api.ok('account', body, api.owner, key);
    const count = running('oauth2').requests.length;
    running('oauth2').set('/exchange', { kind: 'answer', status: 400, body: '"the code was used"' });
    expect(await api.ok('account', body, api.owner, key)).toEqual(first);
    const other = await api.refused('account', { ...body, properties: { code: 'other' } }, api.owner, key);
    expect(other).toMatchObject({ status: 409, code: 'idempotency_conflict' });
    expect(running('oauth2').requests).toHaveLength(count);
  });

  it('is refused an address to consent at that is none of the web', async () => {
    const plugin = await register(api, { authorize: 'oauth2' }, 'oauth2');
    for (const auth_url of ['javascript:alert(1)', 'consent', 7, `https://a.example/${'x'.repeat(5000)}`]) {
      running('oauth2').set('/authorize', { kind: 'answer', body: JSON.stringify({ auth_url }) });
      const refusal = await api.refused('account', { properties: { plugin_id: plugin.id } });
      expect([auth_url, refusal.status, refusal.code]).toEqual([auth_url, 502, 'plugin_failed']);
    }
  });
});

describe('the files of the store', () => {
  const api = useApi('sqlite', { INLAY_ALLOW_PRIVATE_HOSTS: 'true' });

  it('hold no setting that a plugin calls secret, no code and nothing it was exchanged for', async () => {
    const plugin = await register(api, { authorize: 'oauth2', properties: { key: { secret: true } } }, 'oauth2');
    const properties = { key: 'canary-setting', open: 'in-the-open' };
    await api.create('account', { plugin_id: plugin.id, code: 'good-code', properties });
    const folder = join(api.service.dataDir, 'store');
    const written = readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), 'latin1'))
      .join('');
    expect(written).toContain('in-the-open');
    for (const secret of ['canary-setting', 'good-code', 'exchanged-token']) expect(written).not.toContain(secret);
  });
});

describe('an account of a plugin that never answers', () => {
  const api = useApi('sqlite', { INLAY_ALLOW_PRIVATE_HOSTS: 'true' });

  it('is a timeout that names the plugin, while others are answered', async () => {
    const plugin = await register(api, {}, 'other');
    running('other').set('/authorize', { kind: 'stall' });
    const stalled = api.refused('account', { properties: { plugin_id: plugin.id } });
    expect(await register(api)).toMatchObject({ authorize: 'token' });
    expect(await stalled).toMatchObject({ status: 504, code: 'plugin_timeout' });
    await expect.poll(() => running('other').open()).toBe(0);
  });
});

describe('where the operator allows no private addresses', () => {
  const api = useApi('sqlite');

  it('a plugin at one is never called, even where its name leads there', async () => {
    const named = await api.create('plugin', {
      slug: `p-${randomUUID()}`,
      base_url: `https://localhost.localdomain.example:${running('plugin').port}`,
      authorize: 'token',
    });
    await api.overwrite('plugin', named.id, { base_url: `https://localhost:${running('plugin').port}` }, {});
    const before = running('plugin').requests.length;
    const refusal = await api.refused('account', { properties: { plugin_id: named.id } });
    expect(refusal).toMatchObject({ status: 502, code: 'plugin_failed' });
    expect(running('plugin').requests).toHaveLength(before);
  });
});

describe('where the operator lists the network and port of a plugin', () => {
  const api = new Api();
  beforeAll(() =>
    api.start('sqlite', { INLAY_ALLOW_HOSTS: `127.0.0.1/32:${running('plugin').port},10.1.0.0/16:8443` }),
  );
  afterAll(() => api.stop());

  it('is registered and called there, by http too', async () => {
    const plugin = await register(api);
    await api.create('account', { plugin_id: plugin.id, token: 'good' });
    expect(lastOf(running('plugin')).path).toBe('/authorize');
    for (const base_url of ['https://10.1.2.3:8443/v1', 'http://10.1.2.3:8443', 'https://plugin.internal:8443'])
      await register(api, { base_url });
  });

  it.each([
    'http://127.0.0.1:4',
    'https://10.2.0.1:8443',
    'https://10.1.2.3',
    'https://plugin.internal',
    'http://plugin.example.com',
    'https://[::1]',
  ])('%s is refused with the setting that allows one network', async (base_url) => {
    const properties = { slug: `p-${randomUUID()}`, base_url, authorize: 'token' };
    const { status, validation } = await api.refused('plugin', { properties });
    expect([status, JSON.stringify(validation['properties.base_url'])]).toEqual([
      400,
      expect.stringContaining('INLAY_ALLOW_HOSTS='),
    ]);
  });
});
