import { beforeAll, describe, expect, it } from 'vitest';
import { settled } from '../support/accelerations.ts';
import { useApi } from '../support/api.ts';
import { havePostgresServer, storesToTest, type Credential } from '../support/service.ts';
import { openShop, type ShopDatabase } from '../support/shop-database.ts';

/** Status of each operation by caller, by hand from the rights on the dataset; `hid`: not among the results. */
const matrix = `
            owner  modifier  user  reader  designer  viewer
create       200     200     403    403      200      403
get          200     200     404    404      200      404
search       see     see     hid    hid      see      hid
update       200     200     404    404      200      404
delete       200     200     404    404      200      404
`;

const [head = '', ...lines] = matrix.split('\n').filter((line) => line.trim() !== '');
const callerNames = head.trim().split(/\s+/u);
const cells = lines.flatMap((line) => {
  const [operation = '', ...results] = line.trim().split(/\s+/u);
  return callerNames.map((caller, at) => [operation, caller, results[at] ?? ''] as const);
});

describe.runIf(havePostgresServer).each(storesToTest)(
  'accelerations on %s are open to those who may change their dataset',
  (store) => {
    const api = useApi(store, { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_SYNC_METADATA: 'false' });
    const callers = new Map<string, Credential>();
    let shop: ShopDatabase;
    beforeAll(async () => {
      shop = await openShop(api);
      callers.set('owner', api.owner);
      const flags = { modifier: { flagModify: true }, user: { flagUse: true }, reader: { flagRead: true } };
      for (const [name, right] of Object.entries(flags)) {
        const { id, login } = await api.person({ flagMember: true });
        await api.associate('securable', shop.datasetId, 'Users', id, right);
        callers.set(name, login);
      }
      const access = (rights: string): object => ({ datasets: [{ id: shop.datasetId, rights }] });
      callers.set('designer', await api.embedToken({ role: 'designer', access: access('modify') }));
      callers.set('viewer', await api.embedToken({ access: access('use') }));
    });

    /** Returns the acceleration of the shop, which is created if there is none. */
    async function acceleration(): Promise<string> {
      const [found] = await api.findIds('acceleration', {});
      const id = found ?? (await api.create('acceleration', { securable_id: shop.datasetId })).id;
      await settled(api, id);
      return id;
    }

    it.each(cells)('%s by %s: %s', async (operation, name, expected) => {
      const caller = callers.get(name) ?? null;
      const id = await acceleration();
      if (operation === 'search') {
        const { body } = await api.call('acceleration', { find: {} }, caller);
        return expect(JSON.stringify(body).includes(id)).toBe(expected === 'see');
      }
      if (operation === 'create') await api.ok('acceleration', { action: 'delete', id });
      const bodies: Readonly<Record<string, object>> = {
        create: { properties: { securable_id: shop.datasetId } },
        get: { action: 'get', id },
        update: { id, properties: { late_rows_seconds: 61 } },
        delete: { action: 'delete', id },
      };
      const { status } = await api.call('acceleration', bodies[operation] ?? {}, caller);
      expect(status).toBe(Number(expected));
    });

    it('nobody of another organization reaches one', async () => {
      const id = await acceleration();
      const { login } = await api.stranger();
      for (const body of [
        { action: 'get', id },
        { id, properties: { refresh: true } },
        { action: 'delete', id },
      ])
        expect((await api.call('acceleration', body, login)).status).toBe(404);
      expect((await api.call('acceleration', { properties: { securable_id: shop.datasetId } }, login)).status).toBe(
        400,
      );
    });
  },
);
