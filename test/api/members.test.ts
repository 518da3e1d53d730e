import { describe, expect, it } from 'vitest';
import { storesToTest } from '../support/service.ts';
import { useApi } from '../support/api.ts';

describe.each(storesToTest)('a person of an organization on %s', (store) => {
  const api = useApi(store);

  it('is nobody any more once taken out of it, whatever rights they were given', async () => {
    const ada = await api.person();
    const dashboard = await api.create('dashboard', {});
    await api.associate('securable', dashboard.id, 'Users', ada.id, { flagRead: true });
    expect((await api.service.call('securable', { action: 'get', id: dashboard.id }, ada.login)).status).toBe(200);
    await api.dissociate('organization', api.organizationId, 'Users', ada.id);
    expect((await api.service.call('securable', { action: 'get', id: dashboard.id }, ada.login)).status).toBe(401);
  });
});
