import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Credential, storesToTest } from '../support/service.ts';
import { text } from '../support/world.ts';

const mask = '********';
/** How far the clock of the service is ahead; it writes with the clock of the machine on one of the stores. */
const clock = { aheadMs: 0 };
const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const secondsAway = (time: unknown): number => (Date.parse(String(time)) - Date.now()) / 1000;
const dayS = 86_400;

describe.each(storesToTest)('embed tokens on %s', (store) => {
  const api = useApi(store, {}, () => Date.now() + clock.aheadMs);
  beforeEach(() => {
    clock.aheadMs = 0;
  });
  const status = async (resource: string, body: object, by: Credential): Promise<number> =>
    (await api.call(resource, body, by)).status;
  const embed = (properties: object, by?: Credential) =>
    api.refused('authorization', { properties: { type: 'embed', ...properties } }, by);

  it('show their token once and never again', async () => {
    const made = await api.create('authorization', {
      type: 'embed',
      username: 'ada',
      name: 'Ada',
      email: 'ada@customer.example',
    });
    expect(Buffer.from(text(made, 'token'), 'base64url')).toHaveLength(32);
    expect(made).toMatchObject({ type: 'embed', role: 'viewer', user_id: api.userId, username: 'ada' });
    expect(Math.round(secondsAway(made['expiry']) / 60)).toBe(24 * 60);
    expect(made).toMatchObject({ inactivity_interval: 0, filters: [], hidden_columns: [], parameter_overrides: {} });
    const read = await api.get('authorization', made.id);
    expect(read).not.toHaveProperty('token');
    expect(JSON.stringify(read)).not.toContain(text(made, 'token'));
    expect((await api.refused('authorization', { find: { where: { token_hash: 'x' } } })).status).toBe(400);
  });

  it('are made by an Organization Owner with an api token only', async () => {
    const owner = await api.person({ flagOwner: true });
    expect((await embed({}, owner.login)).status).toBe(403);
    const editor = await api.apiToken((await api.person({ flagEditor: true })).login);
    expect((await embed({}, editor)).status).toBe(403);
    const token = await api.embedToken({}, await api.apiToken(owner.login));
    expect((await embed({}, token)).status).toBe(403);
    expect((await api.refused('authorization', { properties: { type: 'api' } }, token)).status).toBe(403);
  });

  it('reach what they were given, with the right they were given', async () => {
    const dashboard = await api.create('dashboard', {});
    const dataset = await api.create('dataset', {});
    const other = await api.create('dashboard', {});
    const change = { id: dashboard.id, properties: { name: { en: 'x' } } };
    const reads = { dashboards: [{ id: dashboard.id, rights: 'read' }], datasets: [{ id: dataset.id, rights: 'use' }] };
    const viewer = await api.embedToken({ access: reads });
    expect(await api.findIds('securable', { order: ['id'] }, viewer)).toEqual([dashboard.id, dataset.id].toSorted());
    expect(await status('securable', { action: 'get', id: other.id }, viewer)).toBe(404);
    expect(await status('securable', change, viewer)).toBe(403);
    const modify = { dashboards: [{ id: dashboard.id, rights: 'modify' }] };
    const designer = await api.embedToken({ role: 'designer', access: modify });
    expect(await status('securable', change, designer)).toBe(200);
    expect(await status('securable', { action: 'delete', id: dashboard.id }, designer)).toBe(403);
    for (const resource of ['account', 'user', 'theme', 'tag', 'group', 'ssoconfig', 'plugin']) {
      const found = await api.call(resource, { find: {} }, viewer);
      expect([resource, found.status === 200 ? found.body : 'refused']).toEqual([
        resource,
        found.status === 200 ? { count: 0, rows: [] } : 'refused',
      ]);
    }
    for (const resource of ['account', 'theme', 'tag', 'dataset', 'image', 'group']) {
      expect([
        resource,
        await status(
          resource,
          { properties: resource === 'image' ? { media_type: 'image/png', data: 'iVBORw0KGgo' } : {} },
          designer,
        ),
      ]).toEqual([resource, 403]);
    }
  });

  it('never let a viewer do more than read and use', async () => {
    const { id } = await api.create('dashboard', {});
    const refusal = await embed({ role: 'viewer', access: { dashboards: [{ id, rights: 'modify' }] } });
    expect(refusal).toMatchObject({ status: 400, code: 'rights_exceeded' });
    expect(Object.keys(refusal.validation)).toEqual(['properties.access.dashboards[0]']);
    expect((await embed({ access: { dashboards: [{ id, rights: 'own' }] } })).code).toBe('rights_exceeded');
    const collection = await api.create('collection', {});
    expect((await embed({ access: { collections: [{ id: collection.id, inheritRights: 'modify' }] } })).code).toBe(
      'rights_exceeded',
    );
  });

  it('never grant more than their issuer holds', async () => {
    const person = await api.person({ flagOwner: true });
    const issuer = await api.apiToken(person.login);
    const { id } = await api.create('dashboard', {});
    const dataset = await api.create('dataset', {});
    const grant = (rights: string) => ({ role: 'owner', access: { dashboards: [{ id, rights }] } });
    expect((await embed(grant('read'), issuer)).code).toBe('rights_exceeded');
    await api.associate('securable', id, 'Users', person.id, { flagUse: true });
    await api.embedToken(grant('use'), issuer);
    expect((await embed(grant('modify'), issuer)).code).toBe('rights_exceeded');
    expect((await embed({ access: { dashboards: [{ id: randomUUID(), rights: 'read' }] } }, issuer)).code).toBe(
      'rights_exceeded',
    );
    expect((await embed({ access: { dashboards: [{ id: dataset.id, rights: 'read' }] } })).code).toBe(
      'rights_exceeded',
    );
  });

  it('lose what their issuer loses, at once', async () => {
    const person = await api.person({ flagOwner: true });
    const issuer = await api.apiToken(person.login);
    const { id } = await api.create('dashboard', {});
    await api.associate('securable', id, 'Users', person.id, { flagModify: true });
    const token = await api.embedToken(
      { role: 'designer', access: { dashboards: [{ id, rights: 'modify' }] } },
      issuer,
    );
    const change = { id, properties: { name: { en: 'x' } } };
    expect(await status('securable', change, token)).toBe(200);
    await api.associate('securable', id, 'Users', person.id, { flagModify: false });
    expect(await status('securable', change, token)).toBe(403);
    expect(await status('securable', { action: 'get', id }, token)).toBe(200);
    await api.dissociate('securable', id, 'Users', person.id);
    expect(await status('securable', { action: 'get', id }, token)).toBe(404);
    await api.associate('securable', id, 'Users', person.id, { flagRead: true });
    expect(await status('securable', { action: 'get', id }, token)).toBe(200);
    await api.remove('user', person.id);
    expect(await status('securable', { action: 'get', id }, token)).toBe(401);
  });

  it('reach the securables of a collection, with the inherited right', async () => {
    const collection = await api.create('collection', {});
    const { id } = await api.create('dashboard', {});
    const access = { collections: [{ id: collection.id, inheritRights: 'modify' }] };
    const token = await api.embedToken({ role: 'designer', access });
    expect(await status('securable', { action: 'get', id }, token)).toBe(404);
    await api.associate('collection', collection.id, 'Securables', id);
    expect(await status('securable', { id, properties: { name: { en: 'x' } } }, token)).toBe(200);
    expect(await status('securable', { action: 'delete', id }, token)).toBe(403);
    await api.dissociate('collection', collection.id, 'Securables', id);
    expect(await status('securable', { action: 'get', id }, token)).toBe(404);
  });

  it('do not know their hidden columns, directly or through a dataset', async () => {
    const dataset = await api.create('dataset', {});
    const open = await api.create('column', { securable_id: dataset.id, type: 'numeric', name: { en: 'Open' } });
    const hidden = await api.create('column', { securable_id: dataset.id, type: 'numeric', name: { en: 'Salary' } });
    const access = { datasets: [{ id: dataset.id, rights: 'modify' }] };
    const token = await api.embedToken({ role: 'designer', access, hidden_columns: [hidden.id.toUpperCase()] });
    expect(await api.findIds('column', {}, token)).toEqual([open.id]);
    expect(await api.findIds('column', { search: { keyphrase: 'salary' } }, token)).toEqual([]);
    expect(await status('column', { action: 'get', id: hidden.id }, token)).toBe(404);
    expect(await status('column', { id: hidden.id, properties: { name: { en: 'x' } } }, token)).toBe(404);
    expect(await status('column', { action: 'delete', id: hidden.id }, token)).toBe(404);
    const [row] = await api.find('securable', { include: [{ model: 'Columns', attributes: ['id'] }] }, token);
    expect(row?.['columns']).toEqual([{ id: open.id }]);
    const required = { include: [{ model: 'Columns', where: { id: hidden.id }, required: true }] };
    expect(await api.find('securable', required, token)).toEqual([]);
    const gone = { id: dataset.id, resource: { role: 'Columns', id: hidden.id } };
    expect((await api.refused('securable', gone, token)).code).toBe('reference_unknown');
  });

  it('end at their expiry, which is at most a year away', async () => {
    const { id } = await api.create('dashboard', {});
    const access = { dashboards: [{ id, rights: 'read' }] };
    const token = await api.embedToken({ access, expiry: at(600) });
    const longest = at(365 * dayS);
    expect((await api.create('authorization', { type: 'embed', expiry: longest }))['expiry']).toBe(longest);
    expect((await embed({ expiry: at(367 * dayS) })).validation).toHaveProperty(['properties.expiry']);
    expect(await status('securable', { action: 'get', id }, token)).toBe(200);
    clock.aheadMs += 590_000;
    expect(await status('securable', { action: 'get', id }, token)).toBe(200);
    clock.aheadMs += 11_000;
    expect(await status('securable', { action: 'get', id }, token)).toBe(401);
  });

  it('end when they are not used for as long as they say', async () => {
    const { id } = await api.create('dashboard', {});
    const access = { dashboards: [{ id, rights: 'read' }] };
    for (const inactivity_interval of [1, 119, -1, 120.5, '120']) {
      expect((await embed({ inactivity_interval })).validation).toHaveProperty(['properties.inactivity_interval']);
    }
    const token = await api.embedToken({ access, inactivity_interval: 120 });
    clock.aheadMs += 110_000;
    expect(await status('securable', { action: 'get', id }, token)).toBe(200);
    const unused = await api.embedToken({ access, inactivity_interval: 120 });
    clock.aheadMs += 131_000;
    expect(await status('securable', { action: 'get', id }, unused)).toBe(401);
  });

  it('are revoked at once', async () => {
    const { id } = await api.create('dashboard', {});
    const token = await api.embedToken({ access: { dashboards: [{ id, rights: 'read' }] } });
    expect(await status('securable', { action: 'get', id }, token)).toBe(200);
    expect(await api.remove('authorization', token.key)).toEqual({ code: 200 });
    expect(await status('securable', { action: 'get', id }, token)).toBe(401);
    expect((await api.refused('authorization', { action: 'get', id: token.key })).status).toBe(404);
  });

  it('never change once made', async () => {
    const token = await api.embedToken({});
    expect(
      (await api.refused('authorization', { id: token.key, properties: { role: 'owner' } })).status,
    ).toBeGreaterThanOrEqual(400);
    expect((await api.get('authorization', token.key))['role']).toBe('viewer');
  });

  it('seal the connections they use in place of accounts', async () => {
    const account = await api.create('account', { provider: 'x' });
    const overrides = { [account.id]: { host: 'tenant.example.com', token: 'tenant secret', identifier: 'x' } };
    const made = await api.create('authorization', { type: 'embed', account_overrides: overrides });
    expect(made['account_overrides']).toEqual(overrides);
    expect((await api.get('authorization', made.id))['account_overrides']).toBe(mask);
    const plain = await api.create('authorization', { type: 'embed' });
    expect(plain['account_overrides']).toBeNull();
    expect((await embed({ account_overrides: mask })).status).toBe(400);
    expect((await embed({ account_overrides: 'x' })).status).toBe(400);
  });

  it('refuse a look that could break out of its place, and a time zone that is none', async () => {
    const refused = [
      { css: '</style><script>x</script>' },
      { css: 'a { background: url(https://x.example) }' },
      { theme: { background: 'red;} body {' } },
      { timezone_id: 'Nowhere/Else' },
    ];
    for (const properties of refused) {
      const [member = ''] = Object.keys(properties);
      const refusal = await embed(properties);
      expect([properties, refusal.status]).toEqual([properties, 400]);
      expect(JSON.stringify(refusal)).toContain(`properties.${member}`);
    }
  });

  it('refuse what is misspelt, for it would give or take rights', async () => {
    const id = randomUUID();
    const wrong = [
      { acces: {} },
      { access: { dashboard: [] } },
      { access: { dashboards: {} } },
      { access: { dashboards: [{ id, right: 'read' }] } },
      { access: { dashboards: [{ id, rights: 'write' }] } },
      { access: { dashboards: [{ id: 'x', rights: 'read' }] } },
      { access: { collections: [{ id, rights: 'read' }] } },
      { role: 'admin' },
      { hidden_columns: ['x'] },
      { hidden_columns: {} },
      { filters: [{ column: id }] },
      { password: 'x' },
      { suborganisation: 'x' },
    ];
    for (const properties of wrong) expect([properties, (await embed(properties)).status]).toEqual([properties, 400]);
  });

  it('log in by e-mail and password without credentials', async () => {
    const password = 'a long pass phrase';
    const person = await api.person(undefined, { email: `Login-${store}@People.example`, password });
    const login = { type: 'login', email: `login-${store}@people.example`, password };
    const made = await api.create('authorization', login, null);
    expect(made).toMatchObject({ type: 'login', user_id: person.id });
    expect(Math.round(secondsAway(made['expiry']) / 60)).toBe(24 * 60);
    expect(made).not.toHaveProperty('password');
    const credential = { key: made.id, token: text(made, 'token') };
    expect(await status('theme', { find: {} }, credential)).toBe(200);
    for (const wrong of [
      { ...login, password: 'not that one' },
      { ...login, email: 'nobody@people.example' },
    ]) {
      expect(await api.refused('authorization', { properties: wrong }, null)).toMatchObject({
        status: 401,
        code: 'credentials_invalid',
      });
    }
    expect(await api.refused('authorization', { properties: { type: 'login' } }, null)).toMatchObject({
      status: 401,
      code: 'credentials_missing',
    });
    expect((await api.refused('authorization', { properties: { type: 'api' } }, null)).status).toBe(401);
    expect((await api.refused('authorization', { properties: { type: 'embed' } }, null)).status).toBe(401);
    clock.aheadMs += 24 * 3_600_000;
    expect(await status('theme', { find: {} }, credential)).toBe(401);
  });
});
