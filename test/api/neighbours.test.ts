import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { text } from '../support/world.ts';

describe.each(storesToTest)('neighbour resources on %s', (store) => {
  const api = useApi(store);

  it('a new user joins the organization and gets a login once', async () => {
    const made = await api.create('user', {
      email: `New-${store}@People.example`,
      name: 'New',
      timezone_id: 'Europe/Brussels',
    });
    expect(made).toMatchObject({
      email: `new-${store}@people.example`,
      organization_id: api.organizationId,
      locale_id: null,
    });
    expect(made).not.toHaveProperty('password');
    const login = { key: text(made, 'key'), token: text(made, 'token') };
    expect((await api.get('user', made.id, login))['name']).toBe('New');
    expect(await api.get('user', made.id)).not.toHaveProperty('token');
    expect((await api.links('organization', api.organizationId, 'Users'))[made.id]).toMatchObject({
      flagMember: true,
      flagEditor: false,
    });
    expect((await api.refused('user', { properties: { email: `NEW-${store}@people.example` } })).code).toBe(
      'already_taken',
    );
    const wrong = [
      {},
      { email: 'x' },
      { email: null },
      { email: 'a@b', password: 'short' },
      { email: 'a@b', timezone_id: 'Mars/Base' },
      { email: 'a@b', locale_id: 'zz' },
    ];
    for (const properties of wrong)
      expect([properties, (await api.refused('user', { properties })).status]).toEqual([properties, 400]);
  });

  it('ranks in the organization go up and down', async () => {
    const { id, login } = await api.person();
    const make = { properties: {} };
    const rank = (flags: object) => api.associate('organization', api.organizationId, 'Users', id, flags);
    expect((await api.call('dashboard', make, login)).status).toBe(403);
    await rank({ flagEditor: true });
    expect((await api.call('dashboard', make, login)).status).toBe(200);
    expect((await api.call('integration', make, login)).status).toBe(403);
    await rank({ flagOwner: true });
    expect((await api.call('integration', make, login)).status).toBe(200);
    await rank({ flagOwner: false });
    expect((await api.call('integration', make, login)).status).toBe(403);
    expect((await api.call('dashboard', make, login)).status).toBe(200);
    await rank({ flagEditor: false });
    expect((await api.call('dashboard', make, login)).status).toBe(403);
  });

  it('take the ids of locales and countries that there are', async () => {
    const id = api.organizationId;
    const [dutch] = await api.find('locale', { where: { 'name.en': 'Dutch' } });
    const [belgium] = await api.find('country', { where: { 'name.en': 'Belgium' } });
    const codes = { locale_id: dutch?.['id'] ?? '', country_id: belgium?.['id'] ?? '' };
    expect(await api.update('organization', id, codes)).toMatchObject(codes);
    expect(await api.update('organization', id, { locale_id: 'nl', country_id: 'BE' })).toMatchObject(codes);
    for (const properties of [{ locale_id: 'zz' }, { locale_id: 'NL' }, { country_id: 'ZZ' }, { country_id: 'be' }]) {
      const { status, validation } = await api.refused('organization', { id, properties });
      expect([status, Object.keys(validation ?? {})]).toEqual([400, [`properties.${Object.keys(properties).join()}`]]);
    }
  });

  it('suborganizations do not see each other', async () => {
    const [east, west] = [`east-${store}`, `west-${store}`];
    const inEast = await api.person(undefined, { suborganization: east });
    const inWest = await api.person(undefined, { suborganization: west });
    const plain = await api.person();
    const where = { where: { id: [inEast.id, inWest.id, plain.id] } };
    expect(await api.findIds('user', where, inEast.login)).toEqual([inEast.id]);
    expect(await api.findIds('user', where, inWest.login)).toEqual([inWest.id]);
    expect(await api.findIds('user', where, plain.login)).toEqual([plain.id]);
    expect((await api.findIds('user', where)).length).toBe(3);
    const group = await api.create('group', { name: { en: 'East' } }, inEast.login);
    expect(group['suborganization']).toBe(east);
    expect(await api.findIds('group', { where: { id: group.id } }, inWest.login)).toEqual([]);
    expect((await api.refused('group', { action: 'get', id: group.id }, plain.login)).status).toBe(404);
    const body = { action: 'associate', id: group.id, resource: { role: 'Users', id: inWest.id } };
    expect((await api.refused('group', body, inEast.login)).code).toBe('reference_unknown');
    const move = { id: inEast.id, properties: { suborganization: west } };
    expect((await api.refused('user', move, inEast.login)).status).toBe(403);
    expect((await api.ok('user', move))['suborganization']).toBe(west);
    expect(await api.findIds('user', where, inEast.login)).toEqual([inEast.id, inWest.id].toSorted());
  });

  it('nobody puts a group into a suborganization that is not theirs', async () => {
    const inNorth = await api.person(undefined, { suborganization: `north-${store}` });
    const group = await api.create('group', {}, inNorth.login);
    for (const suborganization of [`south-${store}`, '']) {
      expect((await api.refused('group', { properties: { suborganization } }, inNorth.login)).status).toBe(403);
      expect(
        (await api.refused('group', { id: group.id, properties: { suborganization } }, inNorth.login)).status,
      ).toBe(403);
    }
    const cleared = await api.update('group', group.id, { suborganization: null }, inNorth.login);
    expect(cleared['suborganization']).toBe(`north-${store}`);
    expect((await api.create('group', { suborganization: `south-${store}` }))['suborganization']).toBe(
      `south-${store}`,
    );
  });

  it('an owner of one suborganization makes people of that one only', async () => {
    const suborganization = `part-${store}`;
    const owner = await api.person({ flagOwner: true }, { suborganization });
    const email = (): string => `${randomUUID()}@people.example`;
    expect((await api.create('user', { email: email() }, owner.login))['suborganization']).toBe(suborganization);
    const outside = { properties: { email: email(), suborganization: `other-${store}` } };
    expect((await api.refused('user', outside, owner.login)).status).toBe(403);
    const inside = await api.person(undefined, { suborganization });
    const moved = { id: inside.id, properties: { suborganization: `other-${store}` } };
    expect((await api.refused('user', moved, owner.login)).status).toBe(403);
  });

  it('another organization sees and changes nothing', async () => {
    const stranger = await api.stranger();
    const dataset = await api.create('dataset', {});
    const made = [
      ['group', await api.create('group', {})],
      ['tag', await api.create('tag', {})],
      ['collection', await api.create('collection', {})],
      ['integration', await api.create('integration', {})],
      ['embedfiltergroup', await api.create('embedfiltergroup', {})],
      ['column', await api.create('column', { securable_id: dataset.id, type: 'numeric' })],
      ['schedule', await api.create('schedule', { securable_id: dataset.id, cron: '0 7 * * 1' })],
      ['user', { id: api.userId }],
      ['organization', { id: api.organizationId }],
    ] as const;
    for (const [resource, { id }] of made) {
      expect([resource, await api.findIds(resource, { where: { id } }, stranger.login)]).toEqual([resource, []]);
      for (const body of [
        { action: 'get', id },
        { id, properties: {} },
        { action: 'delete', id },
      ]) {
        expect([resource, body, (await api.refused(resource, body, stranger.login)).status]).toEqual([
          resource,
          body,
          404,
        ]);
      }
    }
  });

  it('locales and countries have ids and ISO codes and are read only', async () => {
    expect((await api.get('locale', 'nl'))['name']).toMatchObject({ en: 'Dutch' });
    expect((await api.get('country', 'BE'))['name']).toMatchObject({ en: 'Belgium' });
    const { login } = await api.person();
    const low = await api.find('country', { where: { id: ['BE', 'NL'] }, order: ['code'] }, login);
    expect(low.map(({ code }) => code)).toEqual(['BE', 'NL']);
    const french = await api.find('locale', { search: { keyphrase: 'french' } }, login);
    expect(french.map(({ code }) => code)).toContain('fr');
    for (const body of [{ properties: {} }, { id: 'nl', properties: {} }, { action: 'delete', id: 'nl' }]) {
      expect([body, (await api.refused('locale', body)).status]).toEqual([body, 403]);
    }
    expect((await api.refused('locale', { action: 'get', id: 'zz' })).status).toBe(404);
    expect((await api.refused('country', { find: {} }, null)).status).toBe(401);
  });

  it('schedules are kept but never active', async () => {
    const securable_id = (await api.create('dashboard', {})).id;
    const base = { securable_id, cron: '0 7 * * 1' };
    const made = await api.create('schedule', { ...base, recipients: ['ada@example.com'] });
    expect(made).toMatchObject({ active: false, timezone_id: 'UTC', format: 'pdf' });
    expect((await api.refused('schedule', { properties: { ...base, active: true } })).code).toBe(
      'schedule_unavailable',
    );
    expect((await api.refused('schedule', { id: made.id, properties: { active: true } })).code).toBe(
      'schedule_unavailable',
    );
    const wrong = [
      { cron: 'daily' },
      { cron: '* * * * * *' },
      { timezone_id: 'x' },
      { recipients: ['x'] },
      { format: 'doc' },
    ];
    for (const one of wrong)
      expect([one, (await api.refused('schedule', { properties: { ...base, ...one } })).status]).toEqual([one, 400]);
  });

  it('a share is a dashboard’s own, under an address nobody guesses', async () => {
    const securable_id = (await api.create('dashboard', {})).id;
    const made = await api.create('share', { securable_id });
    expect(Buffer.from(text(made, 'slug'), 'base64url').length).toBeGreaterThanOrEqual(16);
    expect(made).toMatchObject({ active: true, expiry: null, filters: [] });
    expect((await api.refused('share', { id: made.id, properties: { slug: 'mine' } })).code).toBe('field_read_only');
    const dataset = await api.create('dataset', {});
    expect((await api.refused('share', { properties: { securable_id: dataset.id } })).code).toBe('reference_unknown');
    const modifier = await api.person();
    await api.associate('securable', securable_id, 'Users', modifier.id, { flagModify: true });
    expect((await api.refused('share', { properties: { securable_id } }, modifier.login)).status).toBe(403);
  });

  it('what is not built answers resource_unknown', async () => {
    for (const resource of ['channel', 'alert', 'agent']) {
      expect(await api.refused(resource, { find: {} })).toMatchObject({ status: 404, code: 'resource_unknown' });
    }
  });

  it('an authorization is one’s own, or the owner’s of the organization', async () => {
    const first = await api.person();
    const second = await api.person();
    const token = await api.apiToken(first.login, { name: 'Nightly' });
    expect((await api.get('authorization', token.key, first.login))['name']).toBe('Nightly');
    expect((await api.get('authorization', token.key))['name']).toBe('Nightly');
    expect((await api.refused('authorization', { action: 'get', id: token.key }, second.login)).status).toBe(404);
    expect((await api.refused('authorization', { action: 'delete', id: token.key }, second.login)).status).toBe(404);
    await api.remove('authorization', token.key, first.login);
    expect((await api.call('tag', { find: {} }, token)).status).toBe(401);
    expect((await api.refused('authorization', { action: 'get', id: randomUUID() })).status).toBe(404);
  });
});
