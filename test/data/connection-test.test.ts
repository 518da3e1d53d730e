import { beforeAll, describe, expect, it } from 'vitest';
import { useApi, rowsOf } from '../support/api.ts';
import { freePort } from '../support/free-port.ts';
import { havePostgresServer } from '../support/service.ts';
import { openShop, type ShopDatabase } from '../support/shop-database.ts';
import { text } from '../support/world.ts';

describe.runIf(havePostgresServer)('a test of a connection', () => {
  const api = useApi('sqlite', { INLAY_ALLOW_PRIVATE_HOSTS: 'true' });
  let shop: ShopDatabase;
  beforeAll(async () => {
    shop = await openShop(api);
  });

  const tried = async (changed: object): Promise<readonly object[]> => {
    const account = await api.ok('account', { action: 'get', id: shop.accountId });
    const { provider, host, port, scope, identifier } = account;
    const properties = { provider, host, port, scope, identifier, name: 'Tried', ...changed };
    const id = text(await api.ok('account', { action: 'create', properties }), 'id');
    return rowsOf(await api.ok('dataprovider', { action: 'get', find: { account_id: id, validate: true } }));
  };

  it('says of every step what was found', async () => {
    expect(await tried({})).toEqual([
      { stage: 'reach', ok: true, cause: null, message: 'The host answers at this port.' },
      { stage: 'tls', ok: true, cause: null, message: 'The connection is not encrypted.' },
      { stage: 'sign_in', ok: true, cause: null, message: 'The user may sign in.' },
      expect.objectContaining({ stage: 'access', ok: true }),
    ]);
  });

  it('ends at the step that fails, with the cause in words', async () => {
    expect(await tried({ host: 'nowhere.invalid' })).toEqual([
      expect.objectContaining({ stage: 'reach', ok: false, cause: 'unknown_host' }),
    ]);
    expect(await tried({ port: String(await freePort()) })).toEqual([
      expect.objectContaining({ stage: 'reach', ok: false, cause: 'refused' }),
    ]);
    const missing = await tried({ scope: 'no_such_database' });
    expect(missing.at(-1)).toMatchObject({ stage: 'access', ok: false, cause: 'missing' });
  });

  it('is refused to whoever may not use the account, and for a misspelt member', async () => {
    const member = await api.person({ flagMember: true });
    const find = { account_id: shop.accountId, validate: true };
    expect(await api.refused('dataprovider', { action: 'get', find }, member.login)).toMatchObject({ status: 400 });
    expect(await api.refused('dataprovider', { action: 'get', find: { ...find, validate: 'yes' } })).toMatchObject({
      status: 400,
      validation: { 'find.validate': ['must be true or false'] },
    });
  });
});
