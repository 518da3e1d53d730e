import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';

const none = { flagRead: false, flagUse: false, flagModify: false, flagOwner: false, flagOwn: false };
const upTo = {
  read: { ...none, flagRead: true },
  use: { ...none, flagRead: true, flagUse: true },
  modify: { ...none, flagRead: true, flagUse: true, flagModify: true },
  own: { flagRead: true, flagUse: true, flagModify: true, flagOwner: true, flagOwn: true },
};

describe.each(storesToTest)('associations on %s', (store) => {
  const api = useApi(store);
  const associate = (id: string, role: string, target: string, properties?: object) => ({
    action: 'associate',
    id,
    resource: { role, id: target },
    ...(properties && { properties }),
  });

  it('take a role without case, singular or plural', async () => {
    const { id } = await api.create('dataset', {});
    for (const role of ['Tags', 'tags', 'TAG', 'tag']) {
      const tag = await api.create('tag', {});
      await api.associate('securable', id, role, tag.id);
    }
    expect(Object.keys(await api.links('securable', id, 'Tags'))).toHaveLength(4);
    const tag = await api.create('tag', {});
    for (const role of ['Tagss', 'T ags', '', 'toString', 'Account', 'Versions']) {
      expect([role, (await api.refused('securable', associate(id, role, tag.id))).status]).toEqual([role, 400]);
    }
  });

  it('each flag includes those below it, and an associate raises or lowers', async () => {
    const { id } = await api.create('dashboard', {});
    const person = await api.person();
    const steps = [
      [{ flagRead: true }, upTo.read],
      [{ flagUse: true }, upTo.use],
      [{ flagRead: true }, upTo.use],
      [{ flagOwner: true }, upTo.own],
      [{ flagOwner: false }, upTo.modify],
      [{ flagModify: false }, upTo.use],
      [{ flagOwn: true }, upTo.own],
      [{ flagOwn: false, flagModify: false }, upTo.use],
      [{ flagUse: false, flagRead: true }, upTo.read],
      [{ flagModify: true, flagRead: true }, upTo.modify],
      [{ flagUse: false }, upTo.read],
      [{ flagOwner: true }, upTo.own],
      [{ flagModify: false }, upTo.use],
      [{ flagOwner: false }, upTo.use],
      [{ flagModify: true, flagOwner: false }, upTo.modify],
      [{ flagRead: false }, none],
    ] as const;
    for (const [flags, expected] of steps) {
      await api.associate('securable', id, 'Users', person.id, flags);
      expect([flags, (await api.links('securable', id, 'Users'))[person.id]]).toEqual([flags, expected]);
    }
    expect((await api.refused('securable', { action: 'get', id }, person.login)).status).toBe(404);
  });

  it('never guess a right', async () => {
    const { id } = await api.create('dashboard', {});
    const person = await api.person();
    const wrong = [
      undefined,
      {},
      { flagReed: true },
      { flagRead: 'yes' },
      { flagRead: 1 },
      { flagMember: true },
      'flagRead',
      [],
    ];
    for (const properties of wrong) {
      const body = { ...associate(id, 'Users', person.id), ...(properties === undefined ? {} : { properties }) };
      expect([properties, (await api.refused('securable', body)).status]).toEqual([properties, 400]);
    }
    expect(await api.links('securable', id, 'Users')).not.toHaveProperty(person.id);
  });

  it('give no right when every flag is taken away', async () => {
    const { id } = await api.create('dashboard', {});
    const person = await api.person();
    await api.associate('securable', id, 'Users', person.id, { flagModify: true });
    const off = { flagRead: false, flagUse: false, flagModify: false, flagOwner: false };
    await api.associate('securable', id, 'Users', person.id, off);
    expect((await api.refused('securable', { action: 'get', id }, person.login)).status).toBe(404);
    const stranger = await api.person();
    await api.associate('securable', id, 'Users', stranger.id, { flagRead: false });
    expect((await api.refused('securable', { action: 'get', id }, stranger.login)).status).toBe(404);
  });

  it('keep the last owner, whichever way it would go', async () => {
    for (const resource of ['dashboard', 'dataset', 'account', 'collection']) {
      const { id } = await api.create(resource, {});
      const person = await api.person({ flagEditor: true });
      const gone = { id, resource: { role: 'Users', id: api.userId } };
      expect((await api.refused(resource, gone)).code).toBe('last_owner');
      expect((await api.refused(resource, associate(id, 'Users', api.userId, { flagOwner: false }))).code).toBe(
        'last_owner',
      );
      await api.associate(resource, id, 'Users', person.id, { flagOwner: true });
      await api.dissociate(resource, id, 'Users', api.userId);
      const last = { id, resource: { role: 'Users', id: person.id } };
      expect((await api.refused(resource, last, person.login)).code).toBe('last_owner');
    }
    const group = await api.create('group', {});
    expect((await api.refused('group', { id: group.id, resource: { role: 'Users', id: api.userId } })).code).toBe(
      'last_owner',
    );
    const own = { id: api.organizationId, resource: { role: 'Users', id: api.userId } };
    expect((await api.refused('organization', own)).code).toBe('last_owner');
    expect((await api.refused('user', { action: 'delete', id: api.userId })).code).toBe('last_owner');
  });

  it('move owner_id to the newest owner and back to another when that one goes', async () => {
    const { id } = await api.create('dataset', {});
    const first = await api.person();
    const second = await api.person();
    await api.associate('securable', id, 'Users', first.id, { flagOwner: true });
    await api.associate('securable', id, 'Users', second.id, { flagOwner: true });
    const repeated = await api.associate('securable', id, 'Users', first.id, { flagOwner: true });
    expect(repeated['owner_id']).toBe(second.id);
    const lowered = await api.associate('securable', id, 'Users', second.id, { flagOwner: false });
    expect(lowered['owner_id']).not.toBe(second.id);
    await api.associate('securable', id, 'Users', second.id, { flagOwner: true });
    await api.remove('user', second.id);
    expect((await api.get('securable', id))['owner_id']).not.toBe(second.id);
    expect((await api.get('securable', id))['owner_id']).not.toBeNull();
  });

  it('count the highest right of person, groups and collections', async () => {
    const { id } = await api.create('dashboard', {});
    const person = await api.person();
    const read = { action: 'get', id };
    const change = { id, properties: { name: { en: 'x' } } };
    expect((await api.call('securable', read, person.login)).status).toBe(404);
    const collection = await api.create('collection', {});
    await api.associate('collection', collection.id, 'Securables', id);
    await api.associate('collection', collection.id, 'Users', person.id, { flagRead: true });
    expect((await api.call('securable', read, person.login)).status).toBe(200);
    expect((await api.call('securable', change, person.login)).status).toBe(403);
    const group = await api.create('group', {});
    await api.associate('group', group.id, 'Users', person.id);
    await api.associate('securable', id, 'Groups', group.id, { flagModify: true });
    expect((await api.call('securable', change, person.login)).status).toBe(200);
    await api.dissociate('group', group.id, 'Users', person.id);
    expect((await api.call('securable', change, person.login)).status).toBe(403);
    await api.associate('group', group.id, 'Users', person.id);
    await api.associate('collection', collection.id, 'Groups', group.id, { flagOwn: true });
    await api.dissociate('securable', id, 'Groups', group.id);
    expect((await api.call('securable', change, person.login)).status).toBe(200);
    await api.dissociate('collection', collection.id, 'Securables', id);
    expect((await api.call('securable', read, person.login)).status).toBe(404);
  });

  it('let an admin modify every securable of the organization and nothing else', async () => {
    const admin = await api.person({ flagAdmin: true });
    const { id } = await api.create('dashboard', {});
    const account = await api.create('account', {});
    await api.update('securable', id, { name: { en: 'x' } }, admin.login);
    expect((await api.call('securable', { action: 'delete', id }, admin.login)).status).toBe(403);
    const hostOfAnother = { id: account.id, properties: { host: 'other.example' } };
    expect((await api.call('account', hostOfAnother, admin.login)).status).toBe(403);
    const dataset = await api.create('dataset', {});
    expect((await api.call('securable', { id: dataset.id, properties: {} }, admin.login)).status).toBe(403);
    const { login } = await api.stranger();
    const theirs = await api.create('dashboard', {}, login);
    expect((await api.call('securable', { action: 'get', id: theirs.id }, admin.login)).status).toBe(404);
  });

  it('let people mark favorites of their own only', async () => {
    const { id } = await api.create('dashboard', {});
    const person = await api.person();
    const other = await api.person();
    await api.associate('securable', id, 'Users', person.id, { flagRead: true });
    await api.associate('securable', id, 'favorites', person.id, undefined, person.login);
    expect(Object.keys(await api.links('securable', id, 'favorites', person.login))).toEqual([person.id]);
    expect((await api.refused('securable', associate(id, 'favorite', other.id), person.login)).status).toBe(400);
    expect((await api.refused('securable', associate(id, 'favorite', person.id))).status).toBe(400);
    expect((await api.refused('securable', { id, resource: { role: 'favorites', id: person.id } })).status).toBe(400);
    await api.dissociate('securable', id, 'favorites', person.id, person.login);
    expect(await api.links('securable', id, 'favorites', person.login)).toEqual({});
    expect((await api.refused('securable', associate(id, 'favorites', other.id), other.login)).status).toBe(404);
  });

  it('keep what a link carries until it is sent again or cleared', async () => {
    const dataset = await api.create('dataset', {});
    const column = await api.create('column', { securable_id: dataset.id, type: 'hierarchy' });
    const filter = {
      clause: 'where',
      origin: 'global',
      securable_id: dataset.id,
      column_id: column.id,
      expression: '? = ?',
      value: 'EU',
    };
    const person = await api.person();
    await api.associate('securable', dataset.id, 'Users', person.id, { flagUse: true, filters: [filter] });
    expect((await api.links('securable', dataset.id, 'Users'))[person.id]).toMatchObject({
      flagUse: true,
      filters: [filter],
    });
    await api.associate('securable', dataset.id, 'Users', person.id, { flagModify: true });
    expect((await api.links('securable', dataset.id, 'Users'))[person.id]).toMatchObject({ filters: [filter] });
    await api.associate('securable', dataset.id, 'Users', person.id, { flagModify: true, filters: null });
    expect((await api.links('securable', dataset.id, 'Users'))[person.id]).not.toHaveProperty('filters');
    const wrong = [
      {},
      'x',
      [{}],
      [{ ...filter, expresion: 'x' }],
      [{ ...filter, column_id: 'x' }],
      [{ ...filter, clause: 'group' }],
    ];
    for (const filters of wrong) {
      const body = associate(dataset.id, 'Users', person.id, { flagUse: true, filters });
      expect([filters, (await api.refused('securable', body)).status]).toEqual([filters, 400]);
    }
  });

  it('need both roles', async () => {
    const { id } = await api.create('dashboard', {});
    const member = await api.person();
    const tag = await api.create('tag', {});
    await api.associate('securable', id, 'Users', member.id, { flagUse: true });
    expect((await api.refused('securable', associate(id, 'Tags', tag.id), member.login)).status).toBe(403);
    await api.associate('securable', id, 'Users', member.id, { flagModify: true });
    await api.associate('securable', id, 'Tags', tag.id, undefined, member.login);
    const integration = await api.create('integration', {});
    await api.associate('securable', id, 'Users', member.id, { flagOwner: true });
    expect((await api.refused('securable', associate(id, 'Integrations', integration.id), member.login)).status).toBe(
      403,
    );
    const carried = { flagRead: true, slug: 'front-page' };
    await api.associate('securable', id, 'Integrations', integration.id, carried);
    expect((await api.links('integration', integration.id, 'Securables'))[id]).toMatchObject(carried);
  });

  it('delete a column, a schedule or a share with its link', async () => {
    const dataset = await api.create('dataset', {});
    const column = await api.create('column', { securable_id: dataset.id, type: 'numeric' });
    const schedule = await api.create('schedule', { securable_id: dataset.id, cron: '0 7 * * 1' });
    await api.dissociate('securable', dataset.id, 'Columns', column.id);
    await api.dissociate('securable', dataset.id, 'Schedules', schedule.id);
    expect((await api.call('column', { action: 'get', id: column.id })).status).toBe(404);
    expect((await api.call('schedule', { action: 'get', id: schedule.id })).status).toBe(404);
    const dashboard = await api.create('dashboard', {});
    const share = await api.create('share', { securable_id: dashboard.id });
    await api.dissociate('securable', dashboard.id, 'Share', share.id);
    expect((await api.call('share', { action: 'get', id: share.id })).status).toBe(404);
  });
});
