import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { inlay } from '../support/command.ts';
import { startPlugin, type TestPlugin } from '../support/plugin.ts';
import { storesToTest } from '../support/service.ts';
import { text } from '../support/world.ts';

/** Plugins and accounts as they are written for services of this API. */
describe.each(storesToTest)('plugins of others on %s', (store) => {
  const api = useApi(store, { INLAY_ALLOW_PRIVATE_HOSTS: 'true' });
  const plugin: { running?: TestPlugin } = {};
  beforeAll(async () => {
    plugin.running = await startPlugin({ refusesFilters: true, numbersAsTexts: true, token: 't' });
    await api.create('plugin', { slug: `others-${store}`, base_url: plugin.running.url, authorize: 'token' });
  });
  afterAll(() => plugin.running?.stop());

  it('are meant by an account whose provider is their slug, and asked for the password', async () => {
    const provider = `others-${store}`;
    const wrong = await api.refused('account', { action: 'create', properties: { provider, token: 'wrong' } });
    expect(wrong).toMatchObject({ status: 400, code: 'plugin_refused' });
    const account = await api.create('account', { provider, token: 't' });
    expect(account['plugin_id']).toMatch(/^[0-9a-f-]{36}$/u);
    const alone = await api.create('account', { plugin_id: account['plugin_id'], token: 't' });
    expect(alone['provider']).toBe(provider);
    const both = { provider: 'postgresql', plugin_id: account['plugin_id'], token: 't' };
    expect((await api.refused('account', { action: 'create', properties: both })).validation).toHaveProperty(
      'properties.provider',
    );
    const unknown = await api.create('account', { provider: 'no-such-thing' });
    expect(unknown['warnings']).toMatchObject([{ path: 'provider', code: 'provider_unknown' }]);
    const stranger = await api.stranger();
    expect(await api.create('account', { provider }, stranger.login)).toMatchObject({ plugin_id: null });
    const taken = await api.refused('plugin', { action: 'create', properties: { slug: 'mariadb' } });
    expect(taken.validation).toHaveProperty('properties.slug');
  });

  it('may give numbers as texts and refuse filters', async () => {
    const account = await api.create('account', { provider: `others-${store}`, token: 't' });
    const listed = await api.ok('dataprovider', { action: 'get', find: { account_id: account.id, action: 'get' } });
    expect(listed['data']).toEqual(listed['rows']);
    const made = await api.ok('dataprovider', {
      action: 'create',
      properties: { action: 'create', account_id: account.id, tables: [{ schema: null, table: 'missions' }] },
    });
    // A source without schemas: its tables are found by name whatever schema is sent.
    for (const table of [
      { schema: 'public', table: 'missions' },
      { name: 'missions', type: 'table' },
    ]) {
      const again = { action: 'create', account_id: account.id, tables: [table] };
      expect((await api.ok('dataprovider', { action: 'create', properties: again }))['count']).toBe(1);
    }
    const [dataset] = Array.isArray(made['data']) ? made['data'] : [];
    const id = text(dataset, 'id');
    expect(dataset).toMatchObject({ subtype: `others-${store}` });
    const columns = await api.find('column', { where: { securable_id: id } });
    const numeric = columns.find(({ type }) => type === 'numeric');
    const named = columns.find(({ type }) => type === 'hierarchy');
    const query = {
      measures: [{ dataset_id: id, column_id: text(numeric, 'id'), aggregation: { type: 'sum' } }],
      where: [{ expression: '? is not null', parameters: [{ dataset_id: id, column_id: text(named, 'id') }] }],
    };
    const one = await api.ok('data', { action: 'get', find: { queries: [query] } });
    expect(one['data']).toEqual([[expect.any(Number)]]);
    const sent = plugin.running?.requests
      .filter(({ path }) => path === '/query')
      .map(({ body }) => JSON.stringify(body['filters']));
    expect(sent?.slice(-2)).toEqual([expect.stringContaining('"is not null"'), '[]']);
    expect(sent?.at(-2)).not.toContain('value');
  });
});

it('inlay plugin check finds the protocol that a plugin speaks', async () => {
  const plugin = await startPlugin({ protocol: '2.0.0', token: 't' });
  try {
    const { code, out } = await inlay(['plugin', 'check', plugin.url, '--token', 't', '--secret', 's'], {});
    expect(out).toContain('pass  protocol: answers /datasets as a plugin of protocol 2.0.0');
    expect(code, out).toBe(0);
  } finally {
    await plugin.stop();
  }
});
