import { describe, expect, it } from 'vitest';
import { newestContents } from '@inlay/contract';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';

const contents = (step: number): object => ({ version: newestContents, views: [], step });

describe.each(storesToTest)('dashboard versions on %s', (store) => {
  const api = useApi(store);
  const changed = async (): Promise<{ readonly dashboard: string; readonly version: string }> => {
    const { id } = await api.create('dashboard', { contents: contents(1) });
    await api.update('securable', id, { contents: contents(2) });
    const [version = ''] = await api.findIds('dashboardversion', { where: { securable_id: id } });
    return { dashboard: id, version };
  };

  it('hold the contents from before an update', async () => {
    const { dashboard, version } = await changed();
    expect(await api.get('dashboardversion', version)).toMatchObject({
      securable_id: dashboard,
      contents: contents(1),
      name: null,
      environment: null,
    });
    const [row] = await api.find('securable', { where: { id: dashboard }, include: [{ model: 'Versions' }] });
    expect(row?.['versions']).toMatchObject([{ id: version }]);
  });

  it('hold the contents from before every update, once where several left them alone', async () => {
    const { id } = await api.create('dashboard', { contents: contents(1) });
    const kept = async (): Promise<readonly unknown[]> =>
      (await api.find('dashboardversion', { where: { securable_id: id }, order: [['created_at', 'asc']] })).map(
        (version) => version['contents'],
      );
    await api.update('securable', id, { name: { en: 'Renamed' } });
    expect(await kept()).toEqual([contents(1)]);
    await api.update('securable', id, { featured: true });
    expect(await kept()).toEqual([contents(1)]);
    await api.update('securable', id, { contents: contents(2) });
    await api.update('securable', id, { name: { en: 'Renamed again' } });
    expect(await kept()).toEqual([contents(1), contents(2)]);
  });

  it('are read and named by those who may modify the dashboard, and by nobody else', async () => {
    const { dashboard, version } = await changed();
    const person = await api.person();
    const name = { id: version, properties: { name: 'Kept', environment: 'production' } };
    expect((await api.refused('dashboardversion', { action: 'get', id: version }, person.login)).status).toBe(404);
    for (const flags of [{ flagRead: true }, { flagUse: true }]) {
      await api.associate('securable', dashboard, 'Users', person.id, flags);
      expect((await api.refused('dashboardversion', { action: 'get', id: version }, person.login)).status).toBe(404);
      expect(await api.links('securable', dashboard, 'Versions', person.login)).toEqual({});
      expect((await api.refused('dashboardversion', name, person.login)).status).toBe(404);
    }
    await api.associate('securable', dashboard, 'Users', person.id, { flagModify: true });
    expect(await api.ok('dashboardversion', name, person.login)).toMatchObject(name.properties);
  });

  it('are made by the service alone and never deleted one by one', async () => {
    const { dashboard, version } = await changed();
    expect((await api.refused('dashboardversion', { action: 'delete', id: version })).status).toBe(403);
    const state = 'published';
    expect((await api.refused('dashboardversion', { properties: { securable_id: dashboard, state } })).status).toBe(
      400,
    );
    expect(
      (await api.refused('securable', { id: dashboard, resource: { role: 'Versions', id: version } })).status,
    ).toBe(400);
  });
});
