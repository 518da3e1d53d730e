import { beforeAll, describe, expect, it } from 'vitest';
import { useApi, type Somebody } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { part } from '../support/world.ts';

const outlines = {
  securable: ['id', 'type', 'name', 'created_at', 'updated_at', 'modified_at', 'owner_id'],
  account: ['id', 'name', 'provider', 'created_at', 'updated_at', 'user_id'],
  collection: ['id', 'name', 'organization_id', 'created_at', 'updated_at'],
} as const;

describe.each(storesToTest)('records of others, for an owner of the whole organization, on %s', (store) => {
  const api = useApi(store);
  let maker: Somebody;
  let reader: Somebody;
  const made: Record<string, string> = {};
  beforeAll(async () => {
    maker = await api.person({ flagEditor: true });
    const name = { en: 'Theirs' };
    const description = { en: 'A secret about whales' };
    const dataset = { type: 'create', data: [['n'], [1]], options: { header: true, name } };
    made['dataset'] = (await api.create('data', dataset, maker.login)).id;
    made['securable'] = (await api.create('dashboard', { name, description, css: '.a{color:red}' }, maker.login)).id;
    const account = { name: 'Theirs', description, provider: 'postgresql', host: 'db.example', scope: 'sales' };
    made['account'] = (await api.create('account', account, maker.login)).id;
    made['collection'] = (await api.create('collection', { name }, maker.login)).id;
    await api.associate('securable', made['securable'], 'Collections', made['collection'], undefined, maker.login);
    reader = await api.person({ flagMember: true });
    await api.associate('securable', made['securable'], 'Users', reader.id, { flagRead: true }, maker.login);
    const tag = await api.create('tag', { name: 'whale' }).catch(() => api.create('tag', {}));
    await api.associate('securable', made['securable'], 'Tags', tag.id, undefined, maker.login);
  });

  it.each(Object.entries(outlines))(
    'show name, type, dates and owner of a %s, and nothing else',
    async (kind, outline) => {
      const found = await api.get(kind, made[kind]);
      const shown = Object.entries(found).filter(([, value]) => value !== null);
      expect(shown.map(([field]) => field).toSorted()).toEqual(expect.arrayContaining(['id', 'name', 'created_at']));
      for (const [field] of shown) expect(outline).toContain(field);
      const whole = await api.get(kind, made[kind], maker.login);
      for (const field of outline) expect(found[field]).toEqual(whole[field]);
      const [row] = await api.find(kind, { where: { id: made[kind] } });
      expect(row).toMatchObject(Object.fromEntries(shown));
    },
  );

  it('are found by what is shown and not by what is not', async () => {
    const ids = (find: object) => api.findIds('securable', find);
    expect(await ids({ where: { name: 'Theirs', type: 'dashboard' } })).toEqual([made['securable']]);
    expect(await ids({ search: { keyphrase: 'whales', match_types: ['description'] } })).toEqual([]);
    expect(await ids({ where: { description: 'A secret about whales' } })).toEqual([]);
    expect(await ids({ where: { description: { like: '%whales%' } } })).toEqual([]);
    expect(await ids({ where: { css: '.a{color:red}' } })).toEqual([]);
    expect(await ids({ where: { id: made['securable'], description: null } })).toEqual([made['securable']]);
    expect(await api.findIds('account', { where: { host: 'db.example' } })).toEqual([]);
    expect(
      await api.findIds('securable', { search: { keyphrase: 'whales', match_types: ['description'] } }, maker.login),
    ).toEqual([made['securable']]);
  });

  it('are shown with their owners and with nothing else', async () => {
    const include = ['Users', 'Tags', 'Collections', 'Columns'].map((model) => ({ model }));
    const [row] = await api.find('securable', { where: { id: made['securable'] }, include: include.slice(0, 3) });
    expect(part(row, 'users')).toMatchObject([{ id: maker.id, link: { flagOwner: true } }]);
    expect(
      await api.findIds('securable', {
        where: { id: made['securable'] },
        include: [{ model: 'Users', where: { id: reader.id }, required: true }],
      }),
    ).toEqual([]);
    expect(Object.keys(await api.links('securable', made['securable'], 'Users', maker.login))).toContain(reader.id);
    expect([part(row, 'tags'), part(row, 'collections')]).toEqual([[], []]);
    const tagged = { include: [{ model: 'Tags', required: true }] };
    expect(await api.findIds('securable', tagged)).toEqual([]);
    expect(await api.findIds('securable', tagged, maker.login)).toEqual([made['securable']]);
    const [dataset] = await api.find('securable', { where: { id: made['dataset'] }, include: [include[3] ?? {}] });
    expect(part(dataset, 'columns')).toEqual([]);
    const [collection] = await api.find('collection', {
      where: { id: made['collection'] },
      include: [{ model: 'Securables' }],
    });
    expect(part(collection, 'securables')).toEqual([]);
  });

  it('show no rows, and are neither changed, shared nor deleted', async () => {
    const find = { measures: [{ dataset_id: made['dataset'], column_id: '*' }] };
    expect((await api.call('data', { action: 'get', find })).status).not.toBe(200);
    for (const [kind, id] of Object.entries(made)) {
      const resource = kind === 'dataset' ? 'securable' : kind;
      const other = await api.person({ flagEditor: true });
      expect((await api.refused(resource, { action: 'update', id, properties: { name: null } })).status).toBe(403);
      expect((await api.refused(resource, { action: 'delete', id })).status).toBe(403);
      const link = { action: 'associate', id, resource: { role: 'Users', id: other.id } };
      for (const properties of [
        { flagUse: true },
        { flagOwner: false, flagRead: true },
        { flagOwner: true, filters: [] },
      ])
        expect((await api.refused(resource, { ...link, properties })).status).toBe(403);
    }
  });

  it('tell nothing by what is sent back with a change', async () => {
    const { synced, shareable_id } = await api.get('account', made['account'], maker.login);
    const { rows, subtype } = await api.get('securable', made['dataset'], maker.login);
    for (const [resource, id, right, wrong] of [
      ['account', made['account'], { shareable_id }, { shareable_id: api.userId }],
      ['account', made['account'], { synced }, { synced: synced !== true }],
      ['securable', made['dataset'], { rows, subtype }, { rows: 5, subtype: 'x' }],
      ['securable', made['dataset'], { rows }, { rows: 5 }],
    ] as const) {
      const answers = [right, wrong].map((properties) => api.refused(resource, { action: 'update', id, properties }));
      const [first, second] = await Promise.all(answers);
      expect(first).toEqual(second);
    }
  });

  it('include groups, of which a member can be made owner and given no lower right', async () => {
    const { id } = await api.create('group', { name: { en: 'Theirs' } }, maker.login);
    const heir = await api.person({ flagMember: true });
    const link = { action: 'associate', id, resource: { role: 'Users', id: heir.id } };
    for (const properties of [{}, { flagMember: true }])
      expect((await api.refused('group', { ...link, properties })).status).toBe(403);
    await api.associate('group', id, 'Users', heir.id, { flagOwner: true });
    await api.update('group', id, { name: { en: 'New' } }, heir.login);
  });

  it('are nothing to members, to admins of a suborganization, to tokens and to others', async () => {
    const callers = [
      (await api.person({ flagMember: true })).login,
      (await api.person({ flagOwner: true }, { suborganization: 'apart' })).login,
      await api.embedToken({ role: 'owner' }),
      (await api.stranger()).login,
    ];
    for (const by of callers)
      for (const [kind, outline] of Object.entries(outlines)) {
        expect(outline.length).toBeGreaterThan(0);
        expect([403, 404]).toContain((await api.refused(kind, { action: 'get', id: made[kind] }, by)).status);
        const link = { action: 'associate', id: made[kind], resource: { role: 'Users', id: api.userId } };
        expect([403, 404]).toContain(
          (await api.refused(kind, { ...link, properties: { flagOwner: true } }, by)).status,
        );
      }
  });

  it('are taken over by making a member owner, who then holds all of it', async () => {
    for (const [kind, id] of Object.entries(made)) {
      const resource = kind === 'dataset' ? 'securable' : kind;
      const heir = await api.person({ flagMember: true });
      await api.associate(resource, id, 'Users', heir.id, { flagOwner: true });
      expect((await api.links(resource, id, 'Users', heir.login))[heir.id]).toMatchObject({ flagOwner: true });
      await api.update(resource, id, { name: kind === 'account' ? 'New' : { en: 'New' } }, heir.login);
    }
    const find = { measures: [{ dataset_id: made['dataset'], column_id: '*' }] };
    const [heir] = await api.find('user', { where: { id: (await api.get('securable', made['dataset']))['owner_id'] } });
    expect(heir).toBeDefined();
    await api.associate('securable', made['dataset'], 'Users', api.userId, { flagOwner: true });
    expect((await api.ok('data', { action: 'get', find }))['data']).toEqual([[1]]);
  });
});
