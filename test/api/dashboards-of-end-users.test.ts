import { newestContents } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SalesDataset } from '../browser/sales.ts';
import { useApi } from '../support/api.ts';
import { pushSales, salesContents } from '../support/sales-world.ts';
import { storesToTest, type Credential } from '../support/service.ts';
import { part, text } from '../support/world.ts';

describe.each(storesToTest)('dashboards that embed tokens create on %s', (store) => {
  const api = useApi(store);
  let dataset: SalesDataset;
  let issuer: Credential;

  const token = (username: string | null, suborganization: string, more: object = {}): Promise<Credential> =>
    api.embedToken({ username, suborganization, role: 'designer', ...more }, issuer);
  const using = (rights: string) => ({ access: { datasets: [{ id: dataset.id, rights }] } });

  beforeAll(async () => {
    dataset = await pushSales(api);
    issuer = await api.apiToken(api.owner);
  });

  it('belong to the issuer, are marked with the end user, and are seen by tokens of that end user alone', async () => {
    const ada = await token('ada', 'a', using('use'));
    const made = await api.create('dashboard', { name: { en: 'Mine' }, contents: salesContents(dataset) }, ada);
    expect(made).toMatchObject({ suborganization: 'a', username: 'ada', owner_id: api.userId, modifier_id: null });
    expect(Object.keys(await api.links('securable', made.id, 'Users'))).toEqual([api.userId]);
    expect((await api.get('securable', made.id))['suborganization']).toBe('a');
    const again = await token('ada', 'a');
    expect((await api.find('securable', {}, again)).map(({ id }) => id)).toEqual([made.id]);
    await api.update('dashboard', made.id, { name: { en: 'Renamed' } }, again);
    const viewer = await token('ada', 'a', { role: 'viewer' });
    expect((await api.get('dashboard', made.id, viewer))['id']).toBe(made.id);
    expect((await api.refused('dashboard', { id: made.id, properties: { name: { en: 'x' } } }, viewer)).status).toBe(
      403,
    );
    const others: Readonly<Record<string, Credential>> = {
      'another end user of the tenant': await token('bob', 'a', using('use')),
      'the same name in another tenant': await token('ada', 'b', using('use')),
      'names the other way round': await token('a', 'ada', using('use')),
      'a token without a username': await token(null, 'a', using('use')),
      'a member': (await api.person({ flagMember: true })).login,
      'another organization': (await api.stranger()).login,
    };
    for (const [who, by] of Object.entries(others)) {
      const bodies = [{ action: 'get' }, { action: 'update', properties: { name: { en: 'x' } } }, { action: 'delete' }];
      const answers = await Promise.all(bodies.map((body) => api.call('securable', { ...body, id: made.id }, by)));
      expect([who, answers.map(({ status }) => status)]).toEqual([who, [404, 404, 404]]);
      for (const find of [
        { where: { username: 'ada' } },
        { search: { keyphrase: 'Renamed' } },
        { where: { id: made.id } },
      ])
        expect([who, part((await api.call('securable', { find }, by)).body, 'count')]).toEqual([who, 0]);
      expect([who, (await api.call('appearance', { find: { dashboard_id: made.id } }, by)).status]).toEqual([who, 404]);
    }
    await api.remove('dashboard', made.id, again);
    expect((await api.refused('dashboard', { action: 'get', id: made.id })).status).toBe(404);
  });

  it('are not created by viewers, tokens without a username or with an environment, nor over datasets without use', async () => {
    const create = { properties: { contents: salesContents(dataset) } };
    for (const by of [
      await token('ada', 'a', { role: 'viewer', ...using('use') }),
      await token(null, 'a', using('use')),
      await token('ada', 'a', { environment: 'live', ...using('use') }),
    ])
      expect((await api.refused('dashboard', create, by)).status).toBe(403);
    const reader = await token('ada', 'a', using('read'));
    const { status, validation } = await api.refused('dashboard', create, reader);
    expect([status, Object.keys(validation)[0]]).toEqual([403, 'properties.contents.views[0].items[0]']);
    const ignorant = await token('ada', 'a');
    const made = await api.create('dashboard', create.properties, ignorant);
    expect(JSON.stringify(made['warnings'])).toContain('reference_unknown');
    expect(await api.links('securable', made.id, 'Datasets')).toEqual({});
    for (const properties of [{ username: 'bob' }, { suborganization: 'b' }, { owner_id: api.userId }])
      expect((await api.refused('dashboard', { properties }, ignorant)).status).toBe(400);
    expect((await api.refused('dataset', { properties: {} }, ignorant)).status).toBe(403);
  });

  it('open the rows of a token that creates them as its row filters do, and no more', async () => {
    const filter = {
      securable_id: dataset.id,
      column_id: dataset.columns.region,
      expression: '? = ?',
      value: 'Asia',
    };
    const by = await token('fay', 'f', { ...using('use'), filters: [filter] });
    const made = await api.create('dashboard', { contents: salesContents(dataset) }, by);
    const rows = await api.ok('data', { find: { dashboard_id: made.id, item_id: 'Regions' } }, by);
    expect(JSON.stringify(rows['data'])).toMatch(/Asia/u);
    expect(JSON.stringify(rows['data'])).not.toMatch(/Europe/u);
    const without = await token('fay', 'f');
    expect((await api.call('data', { find: { dashboard_id: made.id, item_id: 'Regions' } }, without)).status).not.toBe(
      200,
    );
  });

  it('end with the rights of the issuer, on the dashboard and to create any', async () => {
    const owner = await api.person({ flagOwner: true });
    const key = await api.apiToken(owner.login);
    const by = await api.embedToken({ username: 'ivy', role: 'owner' }, key);
    const contents = { version: newestContents, views: [] };
    const made = await api.create('dashboard', { contents }, by);
    expect(text(made, 'owner_id')).toBe(owner.id);
    await api.associate('securable', made.id, 'Users', api.userId, { flagOwner: true }, key);
    await api.associate('securable', made.id, 'Users', owner.id, {
      flagRead: true,
      flagUse: false,
      flagModify: false,
      flagOwner: false,
    });
    expect((await api.get('dashboard', made.id, by))['id']).toBe(made.id);
    expect((await api.refused('dashboard', { id: made.id, properties: { contents } }, by)).status).toBe(403);
    expect((await api.refused('dashboard', { action: 'delete', id: made.id }, by)).status).toBe(403);
    await api.associate('organization', api.organizationId, 'Users', owner.id, {
      flagMember: true,
      flagEditor: false,
      flagOwner: false,
    });
    expect((await api.refused('dashboard', { properties: { contents } }, by)).status).toBe(403);
  });
});
