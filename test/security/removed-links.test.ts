import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { linkedDatasets, type LinkedDataset } from '../support/linked-datasets.ts';
import { storesToTest } from '../support/service.ts';

describe.each(storesToTest)('row filters whose link, column or dataset is removed on %s', (store) => {
  const api = useApi(store);
  const { dataset, link, filter, token, values } = linkedDatasets(api);

  async function shop(): Promise<{ people: LinkedDataset; sales: LinkedDataset; apart: LinkedDataset }> {
    const people = await dataset([
      ['id', 'tenant', 'secret'],
      [1, 'acme', 'x'],
      [2, 'bolt', 'y'],
    ]);
    const sales = await dataset([
      ['person', 'amount', 'margin'],
      [1, 5, 1],
      [2, 6, 2],
    ]);
    const apart = await dataset([['n'], [42]]);
    await link(sales, 'person', people, 'id');
    return { people, sales, apart };
  }

  it('refuse the datasets that looked it up until a link leads there again, and no others', async () => {
    const { people, sales, apart } = await shop();
    const by = await token([people, sales, apart], [filter(people, 'tenant', 'acme')]);
    expect(await values(sales, 'amount', by)).toEqual([5]);
    await api.dissociate('column', sales.columns['person'], 'Joins', people.columns['id']);
    expect(await values(sales, 'amount', by)).toBe('row_filter_invalid');
    expect(await values(apart, 'n', by)).toEqual([42]);
    await link(sales, 'person', people, 'id', 'exact');
    expect(await values(sales, 'amount', by)).toBe('row_filter_invalid');
    await link(sales, 'person', people, 'id');
    expect(await values(sales, 'amount', by)).toEqual([5]);
  });

  it('are not led elsewhere by somebody whom they bound', async () => {
    const { people, sales } = await shop();
    const editor = await api.person({ flagEditor: true });
    const filters = [filter(people, 'tenant', 'acme')];
    await api.associate('securable', people.id, 'Users', editor.id, { flagModify: true, filters });
    await api.associate('securable', sales.id, 'Users', editor.id, { flagModify: true });
    expect(await values(sales, 'amount', editor.login)).toEqual([5]);
    const ends = (column: string, key: string) => ({
      id: sales.columns[column],
      resource: { role: 'Joins', id: people.columns[key] },
    });
    const undo = { action: 'dissociate', ...ends('person', 'id') };
    const other = { action: 'associate', ...ends('margin', 'id') };
    const exact = { action: 'associate', ...ends('person', 'id'), properties: { type: 'exact' } };
    for (const body of [undo, other, exact])
      expect(await api.refused('column', body, editor.login)).toMatchObject({ code: 'forbidden' });
    await api.ok('column', undo);
    expect(await api.refused('column', other, editor.login)).toMatchObject({ code: 'forbidden' });
    expect(await values(sales, 'amount', editor.login)).toBe('row_filter_invalid');
  });

  it('are lifted by an owner of the dataset whom no filter bounds, and by nobody else', async () => {
    const { people, sales } = await shop();
    const by = await token([sales], [filter(people, 'tenant', 'acme')]);
    const bounded = await api.person({ flagEditor: true });
    await api.associate('securable', sales.id, 'Users', bounded.id, {
      flagOwn: true,
      filters: [filter(sales, 'person', 1)],
    });
    await api.dissociate('column', sales.columns['person'], 'Joins', people.columns['id']);
    const setting = { action: 'update', id: sales.id, properties: { shared_across_tenants: true } };
    expect(await api.refused('securable', setting, bounded.login)).toMatchObject({ code: 'forbidden' });
    expect(await values(sales, 'amount', by)).toBe('row_filter_invalid');
    await api.ok('securable', setting);
    expect(await values(sales, 'amount', by)).toEqual([5, 6]);
  });

  it('refuse what they reached once the column or the dataset of the filter is deleted', async () => {
    const { people, sales, apart } = await shop();
    const by = await token([sales, apart], [filter(people, 'tenant', 'acme')]);
    await api.remove('column', people.columns['tenant']);
    expect(await values(sales, 'amount', by)).toBe('row_filter_invalid');
    await api.remove('securable', people.id);
    expect(await values(sales, 'amount', by)).toBe('row_filter_invalid');
    expect(await values(apart, 'n', by)).toEqual([42]);
  });

  it('refuse a dataset that lost a hidden column', async () => {
    const { sales, apart } = await shop();
    const by = await token([sales, apart], [], { hidden_columns: [sales.columns['margin']] });
    expect(await values(sales, 'amount', by)).toEqual([5, 6]);
    await api.remove('column', sales.columns['margin']);
    expect(await values(sales, 'amount', by)).toBe('row_filter_invalid');
    expect(await values(apart, 'n', by)).toEqual([42]);
  });
});
