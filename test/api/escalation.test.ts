import { describe, expect, it } from 'vitest';
import { type Credential, storesToTest } from '../support/service.ts';
import { useApi } from '../support/api.ts';
import { part, text } from '../support/world.ts';

describe.each(storesToTest)('rights on %s', (store) => {
  const api = useApi(store);
  const statusOf = async (resource: string, body: object, by: Credential): Promise<number> =>
    (await api.service.call(resource, body, by)).status;

  it('do not grow by collecting a record into a collection of one’s own', async () => {
    const ada = await api.person({ flagEditor: true });
    const dataset = await api.create('dataset', {});
    await api.associate('securable', dataset.id, 'Users', ada.id, { flagRead: true });
    const made = await api.service.call('collection', { properties: { name: { en: 'Mine' } } }, ada.login);
    const collection = text(made.body, 'id');
    const link = { action: 'associate', id: dataset.id, resource: { role: 'Collections', id: collection } };
    expect(await statusOf('securable', link, ada.login)).toBe(200);
    expect(await statusOf('securable', { id: dataset.id, properties: { cache: 5 } }, ada.login)).toBe(403);
    expect(await statusOf('securable', { action: 'delete', id: dataset.id }, ada.login)).toBe(403);
    expect(await statusOf('securable', { action: 'get', id: dataset.id }, ada.login)).toBe(200);
  });

  it('of a collection grow when somebody with more collects the record again', async () => {
    const ben = await api.person();
    const dataset = await api.create('dataset', {});
    const collection = await api.create('collection', {});
    await api.associate('securable', dataset.id, 'Collections', collection.id);
    await api.associate('collection', collection.id, 'Users', ben.id, { flagOwner: true });
    expect(await statusOf('securable', { id: dataset.id, properties: { cache: 5 } }, ben.login)).toBe(200);
  });

  it('of an owner of one suborganization do not reach the tokens of another', async () => {
    const north = await api.person({ flagOwner: true }, { suborganization: 'north' });
    const token = await api.service.call('authorization', { properties: { type: 'api' } }, north.login);
    const key = { key: text(token.body, 'id'), token: text(token.body, 'token') };
    const south = { type: 'embed', username: 'customer', suborganization: 'south' };
    const embed = await api.create('authorization', south);
    expect(await statusOf('authorization', { action: 'get', id: embed.id }, north.login)).toBe(404);
    expect(await statusOf('authorization', { action: 'delete', id: embed.id }, north.login)).toBe(404);
    const refused = await api.service.call('authorization', { properties: south }, key);
    expect([refused.status, part(refused.body, 'code')]).toEqual([403, 'forbidden']);
    expect(await statusOf('authorization', { properties: { ...south, suborganization: 'north' } }, key)).toBe(200);
  });

  it('through row filters are never wider for a misspelt expression', async () => {
    const dataset = await api.create('dataset', {});
    const filter = { securable_id: dataset.id, column_id: dataset.id, expression: '? is nulll' };
    const properties = { type: 'embed', username: 'x', filters: [filter] };
    const answer = await api.service.call('authorization', { properties }, api.owner);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(part(answer.body, 'validation'))).toContain('properties.filters[0].expression');
  });
});
