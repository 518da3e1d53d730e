import type { JsonObject } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Credential, storesToTest } from '../support/service.ts';

describe.each(storesToTest)('embed tokens on %s', (store) => {
  const api = useApi(store);
  const status = async (resource: string, body: JsonObject, by: Credential): Promise<number> =>
    (await api.call(resource, body, by)).status;

  it('read their own authorization and no other, without sensitive values, and the languages', async () => {
    const { id: account } = await api.create('account', { provider: 'x' });
    const token = await api.embedToken({
      metadata: { region: 'Europe' },
      parameter_overrides: { tier: 'gold', secret: { value: 'classified', sensitive: true } },
      account_overrides: { [account]: { token: 'tenant secret' } },
    });
    const other = await api.embedToken({});
    const own = await api.get('authorization', token.key, token);
    expect(own).toMatchObject({
      metadata: { region: 'Europe' },
      parameter_overrides: { tier: 'gold', secret: { value: null, sensitive: true } },
    });
    const { rows = null } = await api.ok('authorization', { action: 'get', find: {} }, token);
    expect(rows).toEqual([own]);
    expect(JSON.stringify(rows)).not.toMatch(/classified|tenant secret/u);
    for (const value of ['classified', 'gold'])
      expect(
        await status('authorization', { action: 'get', find: { where: { parameter_overrides: value } } }, token),
      ).toBe(400);
    for (const key of [other.key, api.owner.key])
      expect(await status('authorization', { action: 'get', id: key }, token)).toBe(404);
    expect(await status('authorization', { action: 'delete', id: token.key }, token)).toBe(403);
    expect(await status('locale', { action: 'get', find: { where: { code: 'fr' } } }, token)).toBe(200);
  });
});
