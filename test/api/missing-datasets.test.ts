import { beforeAll, describe, expect, it } from 'vitest';
import { isObject, listOr, type JsonObject } from '@inlay/contract';
import { contentsOf, inSlot, item, slot, type SalesDataset } from '../browser/sales.ts';
import { useApi } from '../support/api.ts';
import { pushSales, salesContents } from '../support/sales-world.ts';
import { type Credential, storesToTest } from '../support/service.ts';

describe.each(storesToTest)('an embed token over dashboards on %s', (store) => {
  const api = useApi(store);
  let one: SalesDataset;
  let other: SalesDataset;
  let dashboards: readonly string[];

  beforeAll(async () => {
    [one, other] = [await pushSales(api), await pushSales(api)];
    const both = contentsOf(
      one,
      [one, other].map((dataset, index) =>
        item(`${index}`, 'donut-chart', [slot('category', inSlot(dataset, 'region'))], [index * 8, 0, 8, 8]),
      ),
    );
    dashboards = [
      (await api.create('dashboard', { contents: both })).id,
      (await api.create('dashboard', { contents: salesContents(one) })).id,
    ];
  });

  const reading = (ids: readonly string[]): readonly JsonObject[] => ids.map((id) => ({ id, rights: 'read' }));
  const warned = async (access: JsonObject, by?: Credential): Promise<readonly JsonObject[]> => {
    const properties = { type: 'embed', username: 'ada', access };
    const made = await api.ok('authorization', { action: 'create', properties }, by);
    return listOr(made['warnings'])
      .filter(isObject)
      .filter(({ code }) => code === 'dataset_missing');
  };

  it('is told of each dataset that they use and that the token may not read, once', async () => {
    const found = await warned({ dashboards: reading(dashboards) });
    expect(found).toEqual(
      [one.id, other.id].toSorted().map((id) => ({
        path: 'properties.access.datasets',
        code: 'dataset_missing',
        message: expect.stringContaining(`uses dataset ${id}, which the token may not read`),
      })),
    );
    expect(await warned({ dashboards: reading(dashboards), datasets: reading([one.id]) })).toMatchObject([
      { message: expect.stringContaining(`add {"id": "${other.id}", "rights": "read"}`) },
    ]);
    expect(await warned({ dashboards: reading(dashboards), datasets: reading([one.id, other.id]) })).toEqual([]);
    expect(await warned({ datasets: reading([one.id]) })).toEqual([]);
  });

  it('is told of dashboards and datasets in collections', async () => {
    const { id } = await api.create('collection', { name: { en: 'Sales' } });
    await api.associate('collection', id, 'Securables', dashboards[0]);
    await api.associate('collection', id, 'Securables', one.id);
    const found = await warned({ collections: [{ id, inheritRights: 'read' }] });
    expect(found).toMatchObject([{ message: expect.stringContaining(other.id) }]);
  });

  it('is told nothing of datasets that its issuer does not see', async () => {
    const issuer = await api.person({ flagOwner: true });
    await api.associate('securable', dashboards[0], 'Users', issuer.id, { flagRead: true });
    await api.associate('securable', one.id, 'Users', issuer.id, { flagRead: true });
    const found = await warned({ dashboards: reading([dashboards[0] ?? '']) }, await api.apiToken(issuer.login));
    expect(found).toMatchObject([{ message: expect.stringContaining(one.id) }]);
  });
});
