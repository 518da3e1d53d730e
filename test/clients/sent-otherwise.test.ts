import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isList, type Json } from '@inlay/contract';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';

const paths = (body: unknown): readonly Json[] => {
  const warnings = part(body, 'warnings');
  return isList(warnings) ? warnings.map((one) => `${text(one, 'path')} ${text(one, 'code')}`) : [];
};

/** Members and forms that published clients of this API send, and what becomes of each. */
describe.each(storesToTest)('requests of published clients, on %s', (store) => {
  const api = useApi(store);

  it('validate with the properties repeated in `resource`', async () => {
    const properties = { name: { en: 'Checked' }, type: 'dashboard' };
    await api.ok('securable', { action: 'validate', resource: properties, properties });
    const wrong = { ...properties, nmae: {} };
    const { status, validation } = await api.refused('securable', {
      action: 'validate',
      resource: wrong,
      properties: wrong,
    });
    expect([status, Object.keys(validation)]).toEqual([400, ['properties.nmae']]);
  });

  it('send settings that are unknown or have no effect yet, which are stored, shown and named in warnings', async () => {
    const token = { type: 'embed', username: 'ada', feature_overrides: ['editor', '!export'], iq: { context: 'x' } };
    const made = await api.create('authorization', token);
    expect(made).toMatchObject({ feature_overrides: ['editor', '!export'], iq: { context: 'x' } });
    expect(paths(made)).toEqual(
      expect.arrayContaining([
        'properties.feature_overrides[0] unknown_value',
        'properties.feature_overrides[1] unknown_value',
        'properties.iq no_effect',
      ]),
    );
    expect(await api.get('authorization', made.id)).toMatchObject({ iq: { context: 'x' } });
    const place = await api.create('integration', {
      name: { en: 'Place' },
      feature_overrides: ['drill', '!drll', 'variant_personal'],
    });
    expect(place['warnings']).toEqual([
      {
        path: 'properties.feature_overrides[1]',
        code: 'unknown_value',
        message: 'is not known; did you mean "drill"?',
      },
      { path: 'properties.feature_overrides[2]', code: 'no_effect', message: 'is a feature that has no effect yet' },
    ]);
    const whole = await api.update('organization', api.organizationId, { feature_overrides: ['editor'] });
    expect([whole['feature_overrides'], paths(whole)]).toEqual([
      ['editor'],
      ['properties.feature_overrides[0] unknown_value'],
    ]);
    await api.update('organization', api.organizationId, { feature_overrides: [] });
    const capabilities = { supports_like: true, supports_sql: false, supports_nested_filters: true };
    const base = { slug: `p-${randomUUID()}`, base_url: 'https://plugin.example.com' };
    const plugin = await api.create('plugin', { ...base, ...capabilities });
    expect(plugin).toMatchObject(capabilities);
    expect(paths(plugin)).toEqual([
      'properties.supports_like no_effect',
      'properties.supports_nested_filters no_effect',
    ]);
    const refused = await api.refused('integration', {
      properties: { name: { en: 'x' }, feature_overrides: ['a b', 1] },
    });
    expect(Object.keys(refused.validation)).toEqual([
      'properties.feature_overrides[0]',
      'properties.feature_overrides[1]',
    ]);
  });

  it('send a port as a whole number', async () => {
    const { id, port } = await api.create('account', {
      name: 'A',
      provider: 'postgresql',
      host: 'db.example.com',
      port: 5432,
    });
    expect(port).toBe('5432');
    expect((await api.update('account', id, { port: 5433 }))['port']).toBe('5433');
    for (const wrong of [0, 65_536, -1, 5432.5, true])
      expect((await api.refused('account', { id, properties: { port: wrong } })).status).toBe(400);
  });

  it('say more about people, and about tokens', async () => {
    const names = { first_name: 'Ada', last_name: 'Lovelace', job: 'Analyst' };
    const person = await api.create('user', { email: `${randomUUID()}@people.example`, ...names });
    expect(await api.get('user', person.id)).toMatchObject(names);
    expect(await api.create('authorization', { type: 'temporary', username: 'ada' })).toMatchObject({ type: 'embed' });
    const datasets = { [randomUUID()]: { schema: 'other' } };
    const account = await api.create('account', { name: 'A' });
    const token = { type: 'embed', username: 'ada', account_overrides: { [account.id]: { datasets } } };
    const { validation } = await api.refused('authorization', { properties: token });
    expect(validation[`properties.account_overrides.${account.id}.datasets`]).toEqual([
      expect.stringContaining('properties.schema'),
    ]);
  });

  it('read the theme of a dashboard with an embed token, and no other', async () => {
    const [used, unused] = [
      await api.create('theme', { name: { en: 'Used' } }),
      await api.create('theme', { name: { en: 'Unused' } }),
    ];
    const views = [{ screenModus: 'desktop', options: { theme: { id: used.id } }, items: [] }];
    const dashboard = await api.create('dashboard', { contents: { version: '0.1.99', views } });
    const access = { dashboards: [{ id: dashboard.id, rights: 'read' }] };
    const viewer = await api.embedToken({ access });
    expect((await api.get('theme', used.id, viewer))['name']).toEqual({ en: 'Used' });
    expect(await api.findIds('theme', {}, viewer)).toEqual([used.id]);
    expect((await api.refused('theme', { action: 'get', id: unused.id }, viewer)).status).toBe(404);
    const designer = await api.embedToken({
      role: 'designer',
      access: { dashboards: [{ id: dashboard.id, rights: 'modify' }] },
    });
    await api.update('securable', dashboard.id, { description: { en: `"theme":{"id":"${unused.id}"` } }, designer);
    expect((await api.refused('theme', { action: 'get', id: unused.id }, designer)).status).toBe(404);
    const shown = {
      version: '0.1.99',
      views: [{ screenModus: 'desktop', options: { theme: { id: unused.id } }, items: [] }],
    };
    await api.update('securable', dashboard.id, { contents: shown });
    const [version = ''] = await api.findIds('dashboardversion', { where: { securable_id: dashboard.id } });
    await api.update('dashboardversion', version, { environment: 'staging' });
    const staging = await api.embedToken({ environment: 'staging', access });
    expect(await api.findIds('theme', {}, staging)).toEqual([used.id]);
    expect(await api.findIds('theme', {}, viewer)).toEqual([unused.id]);
    const other = await api.embedToken({});
    expect(await api.findIds('theme', {}, other)).toEqual([]);
    expect((await api.refused('theme', { id: unused.id, properties: { name: {} } }, viewer)).status).toBe(403);
  });

  it('join what they include, and order it there', async () => {
    const tag = await api.create('tag', { name: { en: 'Tagged' } });
    const [tagged, plain] = [await api.create('dashboard', {}), await api.create('dashboard', {})];
    await api.associate('securable', tagged.id, 'Tags', tag.id);
    const where = { id: [tagged.id, plain.id] };
    const found = (jointype: string) => api.findIds('securable', { where, include: [{ model: 'Tags', jointype }] });
    expect(await found('inner')).toEqual([tagged.id]);
    expect(await found('left')).toHaveLength(2);
    const refused = async (find: object) => JSON.stringify((await api.refused('securable', { find })).validation);
    expect(await refused({ include: [{ model: 'Tags', jointype: 'cross' }] })).toContain('jointype');
    expect(await refused({ include: [{ model: 'Tags', jointype: 'inner', required: false }] })).toContain('jointype');
    for (const order of [[[{ model: 'Tags' }, 'name', 'asc']], [['Tags', 'name', 'asc']]])
      expect(await refused({ order })).toContain('inside their include');
  });

  it('include the person of a token and their groups', async () => {
    const person = await api.person({ flagMember: true });
    const group = await api.create('group', { name: { en: 'Of Ada' } });
    await api.associate('group', group.id, 'Users', person.id);
    await api.apiToken(person.login);
    const include = [{ model: 'User', include: [{ model: 'Group' }] }];
    const [row] = await api.find('authorization', { where: { user_id: person.id, type: 'api' }, include });
    expect(part(part(row, 'user'), 'id')).toBe(person.id);
    expect(part(part(row, 'user'), 'groups')).toMatchObject([{ id: group.id }]);
  });

  it('make a share, and associate it with its dashboard later', async () => {
    const { id } = await api.create('dashboard', { name: { en: 'Shared' } });
    const share = await api.create('share', { active: true });
    expect((await api.service.server.inject({ method: 'GET', url: `/s/${text(share, 'slug')}` })).statusCode).toBe(404);
    const other = await api.person({ flagEditor: true });
    expect((await api.refused('share', { action: 'get', id: share.id }, other.login)).status).toBe(404);
    await api.associate('share', share.id, 'Securable', id);
    expect((await api.get('share', share.id))['securable_id']).toBe(id);
    expect((await api.service.server.inject({ method: 'GET', url: `/s/${text(share, 'slug')}` })).statusCode).toBe(200);
    const dataset = await api.create('dataset', {});
    const apart = await api.create('share', {});
    const wrong = { action: 'associate', id: apart.id, resource: { role: 'Securable', id: dataset.id } };
    expect((await api.refused('share', wrong)).status).toBe(400);
    const member = await api.person({ flagMember: true });
    expect((await api.refused('share', { properties: {} }, member.login)).status).toBe(403);
    const theirs = await api.create('share', {}, other.login);
    const link = { action: 'associate', id: theirs.id, resource: { role: 'Securable', id } };
    expect((await api.refused('share', link, other.login)).status).toBeGreaterThanOrEqual(400);
  });

  it('name a tag by `tag`', async () => {
    expect(await api.create('tag', { tag: { en: 'Quarterly' } })).toMatchObject({ name: { en: 'Quarterly' } });
    expect(await api.create('tag', { tag: 'Yearly' })).toMatchObject({ name: { en: 'Yearly' } });
  });
});
