import { describe, expect, it } from 'vitest';
import { storesToTest } from '../support/service.ts';
import { useApi } from '../support/api.ts';
import { part, text } from '../support/world.ts';

describe.each(storesToTest)('a record that another is about to refer to, on %s', (store) => {
  const api = useApi(store);

  it('is not deleted under it: one of the two is refused', async () => {
    for (let round = 0; round < 10; round += 1) {
      const account = await api.create('account', {});
      const [made, gone] = await Promise.all([
        api.service.call('dataset', { properties: { account_id: account.id } }, api.owner),
        api.service.call('account', { action: 'delete', id: account.id }, api.owner),
      ]);
      expect([200, 400]).toContain(made.status);
      if (made.status !== 200) continue;
      expect([gone.status, part(gone.body, 'code')]).toEqual([400, 'in_use']);
      expect(text(made.body, 'account_id')).toBe(account.id);
    }
  });
});
