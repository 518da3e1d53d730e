import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { text } from '../support/world.ts';

const datasetOnly = [
  'source_dataset',
  'source_sheet',
  'source_query',
  'transformation',
  'rows',
  'cache',
  'storage',
  'migrated_rows',
  'meta_sync_interval',
  'meta_sync_inherit',
  'meta_sync_enabled',
  'last_metadata_sync_at',
  'last_metadata_sync_attempt_at',
  'account_id',
];
const updateDataset = {
  name: { en: 'Sales' },
  description: { en: 'Of the year', fr: 'De l’année' },
  subtitle: { en: 'Daily' },
  type: 'dataset',
  subtype: 'postgresql',
  source_dataset: 'public.sales',
  source_sheet: 'Sheet 1',
  source_query: 'select * from sales',
  transformation: 'trim',
  cache: 300,
  meta_sync_interval: 24,
  meta_sync_inherit: false,
  meta_sync_enabled: false,
  last_metadata_sync_at: '2026-01-31T09:30:00.000Z',
};

describe.each(storesToTest)('securables on %s', (store) => {
  const api = useApi(store);

  it('leaves null what does not apply to a dataset or a dashboard', async () => {
    const dataset = await api.create('securable', { type: 'dataset' });
    expect(dataset).toMatchObject({ contents: null, css: null });
    const dashboard = await api.create('securable', { type: 'dashboard' });
    for (const name of datasetOnly) expect([name, dashboard[name]]).toEqual([name, null]);
    for (const name of datasetOnly.filter((field) => field !== 'rows' && field !== 'storage')) {
      const properties = { type: 'dashboard', [name]: name.startsWith('meta_sync_e') ? true : 'x' };
      expect([name, (await api.refused('securable', { properties })).status]).toEqual([name, 400]);
      await api.create('securable', { type: 'dashboard', [name]: null });
    }
    for (const properties of [{ contents: {} }, { css: 'a {}' }]) {
      expect(await api.refused('dataset', { properties })).toMatchObject({ code: 'field_read_only' });
    }
  });

  it('start with the documented defaults', async () => {
    const common = {
      name: null,
      description: null,
      subtitle: null,
      featured: false,
      is_variant: false,
      original_id: null,
    };
    expect(await api.create('securable', {})).toMatchObject({ ...common, type: 'dashboard', css: null });
    const dataset = await api.create('dataset', {});
    expect(dataset).toMatchObject({
      ...common,
      type: 'dataset',
      subtype: 'api',
      rows: 0,
      cache: 0,
      storage: 'client',
      uses_columnar_experimental: false,
      migrated_rows: null,
      meta_sync_interval: 1,
      meta_sync_inherit: true,
      meta_sync_enabled: true,
      last_metadata_sync_at: null,
      account_id: null,
      owner_id: api.userId,
      modifier_id: api.userId,
    });
    expect(dataset).not.toHaveProperty('update_metadata');
    expect(dataset['modified_at']).toBe(dataset['created_at']);
  });

  it('creates, updates, deletes and links both kinds as securables', async () => {
    for (const type of ['dataset', 'dashboard']) {
      const made = await api.ok('securable', { properties: { type, name: { en: type } } });
      const { id } = made;
      expect((await api.ok('securable', { id, properties: { name: { en: 'x' } } }))['name']).toEqual({ en: 'x' });
      const tag = await api.create('tag', {});
      expect((await api.associate('securable', id, 'Tags', tag['id']))['id']).toBe(id);
      expect((await api.dissociate('securable', id, 'Tags', tag['id']))['id']).toBe(id);
      expect(await api.remove('securable', id)).toEqual({ code: 200 });
      expect((await api.refused('securable', { action: 'get', id })).status).toBe(404);
    }
  });

  it('stores every field that update dataset accepts', async () => {
    const { id } = await api.create('securable', { type: 'dataset' });
    const changed = await api.update('securable', id, { ...updateDataset, update_metadata: false });
    expect(changed).toMatchObject(updateDataset);
    expect(await api.get('securable', id)).toMatchObject(updateDataset);
    const nulls = Object.fromEntries(Object.keys(updateDataset).map((name) => [name, null]));
    const { type: _type, ...clearing } = nulls;
    expect(await api.update('securable', id, clearing)).toMatchObject({
      name: null,
      subtype: 'api',
      cache: 0,
      meta_sync_interval: 1,
      meta_sync_inherit: true,
      meta_sync_enabled: true,
      last_metadata_sync_at: null,
    });
  });

  it('creates a dataset with what an update takes and an account', async () => {
    const account = await api.create('account', {});
    const fields = { ...updateDataset, account_id: account['id'] };
    const made = await api.create('securable', { ...fields, update_metadata: true });
    expect(made).toMatchObject(fields);
    expect(made).not.toHaveProperty('update_metadata');
    const missing = await api.refused('dataset', { properties: { account_id: randomUUID() } });
    expect(missing).toMatchObject({ status: 400, code: 'reference_unknown' });
    const editor = await api.person({ flagEditor: true });
    const unseen = await api.refused('dataset', { properties: { account_id: account['id'] } }, editor.login);
    expect(unseen).toMatchObject({ status: 400, code: 'reference_unknown' });
    await api.associate('account', account['id'], 'Users', editor.id, { flagRead: true });
    const readOnly = { properties: { account_id: account['id'] } };
    expect((await api.refused('dataset', readOnly, editor.login)).status).toBe(403);
    await api.associate('account', account['id'], 'Users', editor.id, { flagUse: true });
    expect((await api.ok('dataset', readOnly, editor.login))['account_id']).toBe(account['id']);
  });

  it('accepts update_metadata on update and keeps it out of the record', async () => {
    const { id } = await api.create('dataset', {});
    for (const update_metadata of [true, false, null]) {
      const changed = await api.update('securable', id, { update_metadata });
      expect(changed).not.toHaveProperty('update_metadata');
    }
    expect((await api.refused('securable', { id, properties: { update_metadata: 'yes' } })).status).toBe(400);
    expect((await api.refused('securable', { find: { where: { update_metadata: true } } })).status).toBe(400);
  });

  it('keep their type and refuse what the service sets', async () => {
    const { id } = await api.create('dataset', {});
    expect((await api.update('securable', id, { type: 'dataset' }))['type']).toBe('dataset');
    expect(await api.refused('securable', { id, properties: { type: 'dashboard' } })).toMatchObject({
      code: 'field_read_only',
    });
    const set = { rows: 5, storage: 'columnar', is_variant: true, migrated_rows: 1, owner_id: randomUUID() };
    const times = { created_at: '2020-01-01T00:00:00.000Z', modified_at: '2020-01-01T00:00:00.000Z', id: randomUUID() };
    for (const [name, value] of Object.entries({
      ...set,
      ...times,
      featured: true,
      uses_columnar_experimental: true,
    })) {
      const refusal = await api.refused('securable', { id, properties: { [name]: value } });
      expect([name, refusal.code]).toEqual([name, 'field_read_only']);
    }
  });

  it('accept their own record sent back', async () => {
    for (const type of ['dataset', 'dashboard']) {
      const { id } = await api.create('securable', { type, name: { en: 'Echo' } });
      const record = await api.get('securable', id);
      const { modified_at: _m, updated_at: _u, ...rest } = record;
      expect(await api.update('securable', id, record)).toMatchObject(rest);
    }
  });

  it('remember who changed them last and when', async () => {
    const made = await api.create('dashboard', {});
    const { id } = made;
    const person = await api.person({ flagEditor: true });
    await api.associate('securable', id, 'Users', person.id, { flagModify: true });
    const changed = await api.update('securable', id, { name: { en: 'x' } }, person.login);
    expect(changed).toMatchObject({ modifier_id: person.id, owner_id: api.userId });
    expect(text(changed, 'modified_at') > text(made, 'modified_at')).toBe(true);
  });

  it('may be updated with modify when a dashboard and with own when a dataset', async () => {
    const person = await api.person({ flagEditor: true });
    const dashboard = await api.create('dashboard', {});
    const dataset = await api.create('dataset', {});
    for (const { id } of [dashboard, dataset])
      await api.associate('securable', id, 'Users', person.id, { flagModify: true });
    await api.update('securable', dashboard['id'], { name: { en: 'x' } }, person.login);
    const body = { id: dataset['id'], properties: { name: { en: 'x' } } };
    expect(await api.refused('securable', body, person.login)).toMatchObject({ status: 403, code: 'forbidden' });
    const other = await api.person();
    expect((await api.refused('securable', body, other.login)).status).toBe(404);
  });

  it('refuses a dissociate without role or id', async () => {
    const { id } = await api.create('dataset', {});
    const tag = await api.create('tag', {});
    for (const resource of [
      {},
      { role: 'Tags' },
      { id: tag['id'] },
      { role: 'Tags', id: 'x' },
      { role: 7, id: tag['id'] },
    ]) {
      expect([resource, (await api.refused('securable', { id, resource })).status]).toEqual([resource, 400]);
    }
    const unknown = await api.refused('securable', { id, resource: { role: 'Tag5', id: tag['id'] } });
    expect(unknown).toMatchObject({ code: 'association_unknown' });
    expect((await api.refused('securable', { id, resource: { role: 'Tags', id: randomUUID() } })).code).toBe(
      'reference_unknown',
    );
    expect(
      (await api.refused('securable', { id: randomUUID(), resource: { role: 'Tags', id: tag['id'] } })).status,
    ).toBe(404);
  });

  it('is no longer associated after a dissociate', async () => {
    const { id } = await api.create('dataset', {});
    const tag = await api.create('tag', {});
    await api.associate('securable', id, 'Tags', tag['id']);
    expect(Object.keys(await api.links('securable', id, 'Tags'))).toEqual([tag['id']]);
    await api.dissociate('securable', id, 'Tags', tag['id']);
    expect(await api.links('securable', id, 'Tags')).toEqual({});
    const before = await api.service.stateHash();
    expect((await api.dissociate('securable', id, 'Tags', tag['id']))['id']).toBe(id);
    expect(await api.service.stateHash()).toBe(before);
  });

  it('makes a user the owner by associating it with flagOwner', async () => {
    const { id } = await api.create('dataset', {});
    const first = await api.person();
    const second = await api.person();
    expect((await api.associate('securable', id, 'Users', first.id, { flagOwner: true }))['owner_id']).toBe(first.id);
    expect((await api.associate('securable', id, 'Users', second.id, { flagOwn: true }))['owner_id']).toBe(second.id);
    expect((await api.update('securable', id, { name: { en: 'x' } }, first.login))['owner_id']).toBe(second.id);
    expect((await api.dissociate('securable', id, 'Users', second.id))['owner_id']).not.toBe(second.id);
    expect((await api.refused('securable', { action: 'get', id }, second.login)).status).toBe(404);
  });

  it('take their columns, schedules and versions along when deleted', async () => {
    const dataset = await api.create('dataset', {});
    const column = await api.create('column', { securable_id: dataset['id'], type: 'numeric' });
    const dashboard = await api.create('dashboard', {});
    await api.update('securable', dashboard['id'], { contents: { items: [] } });
    const share = await api.create('share', { securable_id: dashboard['id'] });
    await api.remove('securable', dataset['id']);
    await api.remove('securable', dashboard['id']);
    expect((await api.refused('column', { action: 'get', id: column['id'] })).status).toBe(404);
    expect((await api.refused('share', { action: 'get', id: share['id'] })).status).toBe(404);
    expect(await api.findIds('dashboardversion', { where: { securable_id: dashboard['id'] } })).toEqual([]);
  });
});
