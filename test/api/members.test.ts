import { describe, expect, it } from 'vitest';
import type { WriteResult } from '../../packages/service/src/commands/command.ts';
import { sql } from '../../packages/service/src/store/sql.ts';
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

  it('is not let in by a password that was changed while it was being compared', async () => {
    const { store: records } = api.service.app.service;
    const ada = await api.person(undefined, { password: 'the first pass phrase' });
    const [kept] = await records.rows(sql`select password_hash from "user" where id = ${ada.id}`);
    const compared = kept?.['password_hash'] ?? null;
    const logIn = (): Promise<WriteResult> =>
      records.write({
        kind: 'write',
        resource: 'authorization',
        caller: null,
        input: { kind: 'create', set: { type: 'login' }, echoes: {}, links: [] },
        fixed: {},
        prepared: { user_id: ada.id, organization_id: api.organizationId, password_hash: compared },
        ifMatch: null,
        idempotency: null,
      });
    expect(await logIn()).toMatchObject({ kind: 'record' });
    await api.update('user', ada.id, { password: 'the second pass phrase' });
    expect(await logIn()).toMatchObject({ kind: 'problem', problem: { code: 'credentials_invalid' } });
  });
});
