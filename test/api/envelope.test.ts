import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { rowsOf, useApi } from '../support/api.ts';
import { type Credential, storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;
const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/u;
const bearer = ({ key, token }: Credential): Record<string, string> => ({ authorization: `Bearer ${key}:${token}` });
const basic = ({ key, token }: Credential): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${key}:${token}`).toString('base64')}`,
});

describe.each(storesToTest)('the envelope on %s', (store) => {
  const api = useApi(store);

  it('answers a POST with status 200 and a JSON body', async () => {
    const answer = await api.call('theme', { properties: {} });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toContain('application/json');
    expect(text(answer.body, 'id')).toMatch(uuid);
  });

  it('gives every record an id in UUID format', async () => {
    for (const resource of ['theme', 'account', 'tag', 'group', 'securable', 'collection', 'integration']) {
      expect(text(await api.ok(resource, { properties: {} }), 'id')).toMatch(uuid);
    }
  });

  it('takes an id in capital letters for the same record', async () => {
    const id = text(await api.create('tag', { name: { en: 'One' } }), 'id');
    expect(text(await api.get('tag', id.toUpperCase()), 'id')).toBe(id);
    expect(await api.findIds('tag', { where: { id: id.toUpperCase() } })).toEqual([id]);
  });

  it('takes and gives times as ISO 8601 UTC with milliseconds', async () => {
    const zones = [
      ['2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.000Z'],
      ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
      ['2026-01-31T09:30:00.5+02:00', '2026-01-31T07:30:00.500Z'],
      ['2024-02-29T23:59:59.999999-11:30', '2024-03-01T11:29:59.999Z'],
    ];
    for (const [sent, stored] of zones) {
      const record = await api.create('account', { date: sent });
      expect(record['date']).toBe(stored);
      expect(text(record, 'created_at')).toMatch(timestamp);
      expect(text(record, 'updated_at')).toMatch(timestamp);
    }
    const wrong = ['2026-01-31', '2026-01-31T09:30:00', '2026-02-30T00:00:00Z', '2026-01-31T24:00:00Z', 'now', ''];
    for (const date of [...wrong, 1_700_000_000, true, {}]) {
      const refusal = await api.refused('account', { properties: { date } });
      expect([date, refusal.status, Object.keys(refusal.validation)]).toEqual([date, 400, ['properties.date']]);
    }
  });

  it('takes and gives texts in several languages', async () => {
    const name = { en: 'Evening', fr: 'Soirée', 'nl-BE': 'Avond', 'zh-Hans': '晚上', ar: 'مساء' };
    expect((await api.create('theme', { name }))['name']).toEqual(name);
    expect((await api.create('theme', { name: {} }))['name']).toEqual({});
    const wrong = [
      'Evening',
      ['Evening'],
      { en: 1 },
      { en: null },
      { English: 'x' },
      { e: 'x' },
      { '': 'x' },
      { 'en ': 'x' },
    ];
    for (const given of wrong) {
      expect([given, (await api.refused('theme', { properties: { name: given } })).status]).toEqual([given, 400]);
    }
  });

  it('takes properties alone as a create', async () => {
    const record = await api.ok('tag', { properties: { name: { en: 'Made' } } });
    expect((await api.get('tag', record['id']))['name']).toEqual({ en: 'Made' });
  });

  it('takes id and properties as an update of only these fields', async () => {
    const made = await api.create('account', { name: 'Before', host: 'db.example.com', description: { en: 'Kept' } });
    const changed = await api.ok('account', { id: made['id'], properties: { name: 'After' } });
    const { updated_at: _at, ...rest } = changed;
    const { updated_at: _before, ...before } = made;
    expect(rest).toEqual({ ...before, name: 'After' });
  });

  it('takes find as a search', async () => {
    const { id } = await api.create('tag', { name: { en: 'Findable' } });
    const found = await api.ok('tag', { find: { where: { id } } });
    expect(found['count']).toBe(1);
    expect(rowsOf(found)).toMatchObject([{ id }]);
  });

  it('takes id and resource as a dissociate', async () => {
    const { id } = await api.create('securable', { name: { en: 'Tagged' } });
    const tag = await api.create('tag', {});
    await api.associate('securable', id, 'Tags', tag['id']);
    const answer = await api.ok('securable', { id, resource: { role: 'Tags', id: tag['id'] } });
    expect(answer['id']).toBe(id);
    expect(await api.links('securable', id, 'Tags')).toEqual({});
  });

  it('refuses a body of any other shape and names the shapes', async () => {
    const id = randomUUID();
    const resource = { role: 'Tags', id };
    const shapes = [
      {},
      { id },
      { resource },
      { properties: {}, resource },
      { id, resource, properties: {} },
      { find: {}, id },
      { find: {}, properties: {} },
      { find: {}, resource },
      { associations: [] },
    ];
    for (const body of shapes) {
      const answer = await api.call('securable', body);
      expect([body, answer.status, part(answer.body, 'code')]).toEqual([body, 400, 'operation_unknown']);
      expect(text(answer.body, 'message')).toContain('{id, resource}');
    }
  });

  it('does what action says, and search means get', async () => {
    const { id } = await api.ok('tag', { action: 'create', properties: { name: { en: 'Acted' } } });
    expect((await api.ok('tag', { action: 'get', id }))['name']).toEqual({ en: 'Acted' });
    expect((await api.ok('tag', { action: 'search', find: { where: { id } } }))['count']).toBe(1);
    expect((await api.ok('tag', { action: 'get', find: { where: { id } } }))['count']).toBe(1);
    expect(typeof (await api.ok('tag', { action: 'get' }))['count']).toBe('number');
    await api.ok('tag', { action: 'update', id, properties: { name: { en: 'Again' } } });
    expect(await api.ok('tag', { action: 'delete', id })).toEqual({ code: 200 });
    expect((await api.refused('tag', { action: 'get', id })).status).toBe(404);
    for (const action of ['validate', 'Create', 'remove', 'constructor', '']) {
      expect((await api.refused('tag', { action, properties: {} })).code).toBe('operation_unknown');
    }
  });

  it('refuses members that belong to another operation', async () => {
    const { id } = await api.create('tag', {});
    const bodies = [
      { action: 'create', properties: {}, id },
      { action: 'delete', id, properties: { name: { en: 'x' } } },
      { action: 'get', id, properties: { name: null } },
      { action: 'dissociate', id, resource: { role: 'Securables', id }, properties: { flagRead: true } },
      { action: 'update', id, properties: {}, associations: [{ role: 'Securables', id }] },
    ];
    for (const body of bodies) expect([body, (await api.refused('tag', body)).status]).toEqual([body, 400]);
  });

  it('takes credentials in the body, as Bearer or as Basic', async () => {
    const find = { find: {} };
    for (const headers of [bearer(api.owner), basic(api.owner)]) {
      expect((await api.call('theme', find, null, headers)).status).toBe(200);
      expect((await api.call('theme', find, api.owner, headers)).status).toBe(200);
    }
    const lower = { authorization: bearer(api.owner)['authorization']?.replace('Bearer', 'bearer') ?? '' };
    expect((await api.call('theme', find, null, lower)).status).toBe(200);
  });

  it('refuses two different pairs with 400 and none or a wrong one with 401', async () => {
    const other = await api.apiToken(api.owner);
    const conflict = await api.refused('theme', { find: {} }, api.owner, bearer(other));
    expect(conflict).toMatchObject({ status: 400, code: 'credentials_conflict' });
    expect(await api.refused('theme', { find: {} }, null)).toMatchObject({ status: 401, code: 'credentials_missing' });
    const { key, token } = api.owner;
    const wrong = [
      { key, token: 'wrong' },
      { key, token: `${token} ` },
      { key, token: '' },
      { key: randomUUID(), token },
      { key: 'no uuid', token },
      { key: '', token: '' },
    ];
    for (const pair of wrong) {
      const answer = await api.call('theme', { find: {} }, pair);
      expect([answer.status, part(answer.body, 'code')]).toEqual([401, 'credentials_invalid']);
      expect(answer.headers['www-authenticate']).toContain('Bearer');
    }
    const headers = ['Bearer', 'Bearer x', `Digest ${key}:${token}`, `Bearer :${token}`, 'Basic !!'];
    for (const authorization of [...headers, `Bearer ${key}:${token} more`, `Bearer ${key}: ${token}`]) {
      expect((await api.call('theme', { find: {} }, null, { authorization })).status).toBe(401);
    }
    expect((await api.call('theme', { find: {}, key }, null)).status).toBe(401);
    expect((await api.call('theme', { find: {}, token }, null)).status).toBe(401);
  });

  it('says what is wrong with every member of the envelope at once', async () => {
    const body = {
      key: 1,
      token: 2,
      version: 3,
      properties: [1],
      id: 4,
      find: 'x',
      resource: 'y',
      propertys: {},
      rolle: 1,
    };
    const { status, validation } = await api.refused('theme', body, null);
    expect(status).toBe(400);
    expect(Object.keys(validation).toSorted()).toEqual(
      ['find', 'id', 'key', 'properties', 'propertys', 'resource', 'rolle', 'token', 'version'].toSorted(),
    );
    expect(validation['propertys']).toEqual(['is not known; did you mean "properties"?']);
    const nested = await api.refused('theme', { id: randomUUID(), resource: { role: 'x', ids: 'y' } });
    expect(nested.validation).toHaveProperty(['resource.ids']);
  });

  it('makes a record and its associations, or neither', async () => {
    const tag = await api.create('tag', {});
    const collection = await api.create('collection', {});
    const person = await api.person();
    const associations = [
      { role: 'tag', id: tag['id'] },
      { role: 'COLLECTIONS', id: collection['id'] },
      { role: 'Users', id: person.id, properties: { flagUse: true } },
    ];
    const made = await api.ok('securable', { properties: { name: { en: 'Linked' } }, associations });
    expect(Object.keys(await api.links('securable', made['id'], 'Tags'))).toEqual([tag['id']]);
    expect(Object.keys(await api.links('securable', made['id'], 'Collections'))).toEqual([collection['id']]);
    expect((await api.links('securable', made['id'], 'Users'))[person.id]).toMatchObject({
      flagUse: true,
      flagModify: false,
    });
    const before = await api.service.stateHash();
    const faults = [
      [...associations, { role: 'Tags', id: randomUUID() }],
      [...associations, { role: 'Users', id: person.id, properties: {} }],
      [...associations, { role: 'Nothing', id: tag['id'] }],
      [...associations, { role: 'Tags', id: tag['id'], extra: 1 }],
      [...associations, { role: 'Columns', id: tag['id'] }],
      { role: 'Tags', id: tag['id'] },
      'Tags',
      [null],
    ];
    for (const wrong of faults) {
      const refusal = await api.refused('securable', { properties: { name: { en: 'Not made' } }, associations: wrong });
      expect([refusal.status, Object.keys(refusal.validation).join()]).toEqual([
        400,
        expect.stringContaining('associations'),
      ]);
    }
    expect(await api.service.stateHash()).toBe(before);
    for (const none of [{}, [], null]) await api.ok('securable', { properties: {}, associations: none });
  });
});
