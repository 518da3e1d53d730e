import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { text } from '../support/world.ts';

const mask = '********';
const everyField = {
  description: { en: 'Warehouse', nl: 'Magazijn' },
  provider: 'some-source',
  date: '2026-01-31T09:30:00.000Z',
  expiry: '2027-01-31T09:30:00.000Z',
  scope: 'sales',
  host: 'db.example.com',
  name: 'Warehouse',
  active: false,
  invalid: true,
  token: 'correct horse',
  identifier: 'reader',
  port: '5432',
  cache: 60,
  code: 'exchange-code',
  datasets_meta_sync_enabled: false,
  datasets_meta_sync_interval: 12,
};

describe.each(storesToTest)('accounts on %s', (store) => {
  const api = useApi(store);

  it('start with the documented defaults', async () => {
    const made = await api.create('account', {});
    expect(made).toMatchObject({
      user_id: api.userId,
      plugin_id: null,
      provider: null,
      name: null,
      description: null,
      expiry: null,
      scope: null,
      host: null,
      port: null,
      identifier: null,
      token: null,
      code: null,
      active: true,
      invalid: false,
      synced: false,
      cache: 0,
      datasets_meta_sync_enabled: true,
      datasets_meta_sync_interval: 1,
      properties: {},
      version: null,
    });
    expect(Date.parse(text(made, 'date'))).toBeGreaterThan(Date.now() - 60_000);
    expect(text(made, 'shareable_id')).toMatch(/^[0-9a-f-]{36}$/u);
    expect(made['shareable_id']).not.toBe(made['id']);
    expect(made).not.toHaveProperty('organization_id');
  });

  it('stores every field that create account accepts', async () => {
    const made = await api.create('account', everyField);
    expect(made).toMatchObject(everyField);
    expect(await api.get('account', made['id'])).toMatchObject({ ...everyField, token: mask });
  });

  it('accepts plugin_id and properties too', async () => {
    const plugin = await api.create('plugin', { slug: `accounts-${store}`, base_url: 'https://plugin.example.com' });
    const properties = { region: 'eu', nested: { list: [1, 2.5, null, true] } };
    const made = await api.create('account', { plugin_id: plugin['id'], properties });
    expect(made).toMatchObject({ plugin_id: plugin['id'], properties });
    const unknown = await api.refused('account', { properties: { plugin_id: made['id'] } });
    expect(unknown).toMatchObject({ status: 400, code: 'reference_unknown' });
  });

  it('refuses a port that there cannot be', async () => {
    for (const port of [5432.5, true, 'abc', '', '123456', '-1', ' 5432', '0', '65536', '99999']) {
      const refusal = await api.refused('account', { properties: { port } });
      expect([port, refusal.status, Object.keys(refusal.validation)]).toEqual([port, 400, ['properties.port']]);
    }
  });

  it('refuses synced on create', async () => {
    const refusal = await api.refused('account', { properties: { synced: true } });
    expect(refusal).toMatchObject({ status: 400, code: 'field_read_only' });
    expect((await api.create('account', { synced: false }))['synced']).toBe(false);
  });

  it('keeps active and invalid as sent', async () => {
    for (const active of [true, false]) {
      for (const invalid of [true, false]) {
        const made = await api.create('account', { active, invalid });
        expect(made).toMatchObject({ active, invalid });
        const turned = { active: !active, invalid: !invalid };
        expect(await api.update('account', made['id'], turned)).toMatchObject(turned);
        expect(await api.findIds('account', { where: { id: made['id'], ...turned } })).toEqual([made['id']]);
      }
    }
  });

  it('shows a token only in the answer to the request that carried it', async () => {
    const made = await api.create('account', { name: 'Sealed', token: 'first secret' });
    expect(made['token']).toBe('first secret');
    const { id } = made;
    expect((await api.get('account', id))['token']).toBe(mask);
    expect((await api.find('account', { where: { id } }))[0]?.['token']).toBe(mask);
    expect((await api.update('account', id, { name: 'Renamed' }))['token']).toBe(mask);
    expect((await api.update('account', id, { token: mask }))['token']).toBe(mask);
    expect((await api.update('account', id, { token: 'second secret' }))['token']).toBe('second secret');
    expect((await api.get('account', id))['token']).toBe(mask);
    expect((await api.update('account', id, { token: null }))['token']).toBeNull();
    expect((await api.get('account', id))['token']).toBeNull();
  });

  it('refuses the mask where no secret can be meant', async () => {
    expect((await api.refused('account', { properties: { token: mask } })).validation).toHaveProperty([
      'properties.token',
    ]);
    for (const find of [{ where: { token: 'x' } }, { where: { token: null } }, { order: [['token']] }]) {
      expect([find, (await api.refused('account', { find })).status]).toEqual([find, 400]);
    }
  });

  it('forgets the token when the account comes to point elsewhere', async () => {
    const plugin = await api.create('plugin', { slug: `moved-${store}`, base_url: 'https://plugin.example.com' });
    const moves = [
      { host: 'other.example.com' },
      { port: '5433' },
      { provider: 'other' },
      { plugin_id: plugin['id'] },
      { properties: { ssl_mode: 'disable' } },
      { properties: { tlsCa: 'none' } },
    ];
    const start = { host: 'db.example.com', port: '5432', provider: 'one', token: 'secret' };
    for (const move of moves) {
      const { id } = await api.create('account', start);
      expect([move, (await api.update('account', id, move))['token']]).toEqual([move, null]);
      const again = await api.create('account', start);
      expect((await api.update('account', again['id'], { ...move, token: 'new' }))['token']).toBe('new');
      const masked = await api.create('account', start);
      expect((await api.update('account', masked['id'], { ...move, token: mask }))['token']).toBeNull();
    }
    for (const stay of [
      { name: 'x' },
      { host: 'db.example.com' },
      { properties: { region: 'eu' } },
      { scope: 'other' },
    ]) {
      const { id } = await api.create('account', start);
      expect([stay, (await api.update('account', id, stay))['token']]).toEqual([stay, mask]);
    }
  });

  it('take null as a way back to the default', async () => {
    const made = await api.create('account', everyField);
    const nulls = Object.fromEntries(Object.keys(everyField).map((name) => [name, null]));
    const cleared = await api.update('account', made['id'], nulls);
    expect(cleared).toMatchObject({
      active: true,
      invalid: false,
      cache: 0,
      datasets_meta_sync_enabled: true,
      datasets_meta_sync_interval: 1,
      name: null,
      description: null,
      host: null,
      token: null,
      expiry: null,
    });
    expect(Date.parse(text(cleared, 'date'))).toBeGreaterThan(Date.now() - 60_000);
    expect((await api.update('account', made['id'], { properties: null }))['properties']).toEqual({});
  });

  it('replace properties whole and keep what they do not know', async () => {
    const { id } = await api.create('account', { properties: { a: 1, b: { c: 2 } } });
    expect((await api.update('account', id, { properties: { b: { d: 3 } } }))['properties']).toEqual({ b: { d: 3 } });
  });

  it('are not deleted while datasets depend on them, and say how many do', async () => {
    const account = await api.create('account', {});
    const first = await api.create('dataset', { account_id: account['id'] });
    const second = await api.create('dataset', { account_id: account['id'] });
    const refusal = await api.refused('account', { action: 'delete', id: account['id'] });
    expect(refusal).toMatchObject({ status: 400, code: 'in_use' });
    expect(JSON.stringify(refusal.validation)).toContain('2 securables');
    await api.remove('securable', first['id']);
    await api.remove('securable', second['id']);
    expect(await api.remove('account', account['id'])).toEqual({ code: 200 });
    expect((await api.refused('account', { action: 'get', id: account['id'] })).status).toBe(404);
  });

  it('belong to whoever made them, and to whom they are given', async () => {
    const maker = await api.person();
    const other = await api.person();
    const { id, user_id } = await api.create('account', { name: 'Mine' }, maker.login);
    expect(user_id).toBe(maker.id);
    expect((await api.refused('account', { action: 'get', id }, other.login)).status).toBe(404);
    await api.associate('account', id, 'Users', other.id, { flagRead: true }, maker.login);
    expect((await api.get('account', id, other.login))['name']).toBe('Mine');
    expect((await api.refused('account', { id, properties: { name: 'x' } }, other.login)).status).toBe(403);
    const given = await api.associate('account', id, 'Users', other.id, { flagOwn: true }, maker.login);
    expect(given['user_id']).toBe(other.id);
    await api.update('account', id, { name: 'Ours' }, other.login);
    const left = await api.dissociate('account', id, 'Users', other.id, maker.login);
    expect(left['user_id']).toBe(maker.id);
    const last = await api.refused('account', { id, resource: { role: 'Users', id: maker.id } }, maker.login);
    expect(last).toMatchObject({ status: 400, code: 'last_owner' });
  });
});
