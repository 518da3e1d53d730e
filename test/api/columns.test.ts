import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { linkedDatasets } from '../support/linked-datasets.ts';
import { storesToTest } from '../support/service.ts';

describe.each(storesToTest)('columns on %s', (store) => {
  const api = useApi(store);

  it('take every field and keep the name of the source', async () => {
    const securable_id = (await api.create('dataset', {})).id;
    const fields = {
      securable_id,
      type: 'numeric',
      subtype: 'currency',
      informat: 'numeric',
      format: ',.2f',
      order: 3,
      source_name: 'amount',
      name: { en: 'Amount', nl: 'Bedrag' },
      description: { en: 'In euro' },
      synonyms: { en: ['Turnover', 'Sales'], nl: ['Omzet'] },
      expression: null,
      aggregation_type: 'average',
      hidden: true,
      color: '#123456',
      currency_id: 'EUR',
      lowestLevel: 3,
      highestLevel: 1,
      cardinality: 12,
      minimum: '0',
      maximum: '9999999999999999.99',
    };
    const made = await api.create('column', fields);
    expect(made).toMatchObject(fields);
    expect(made).not.toHaveProperty('organization_id');
    const fixed = { source_name: 'other', securable_id: randomUUID() };
    for (const [name, value] of Object.entries(fixed)) {
      expect((await api.refused('column', { id: made.id, properties: { [name]: value } })).code).toBe(
        'field_read_only',
      );
    }
    expect(await api.create('column', { securable_id, type: 'hierarchy' })).toMatchObject({
      order: 0,
      aggregation_type: 'sum',
      hidden: false,
      subtype: null,
      source_name: null,
    });
  });

  it('refuse another type, aggregation, level or dataset', async () => {
    const securable_id = (await api.create('dataset', {})).id;
    const base = { securable_id, type: 'numeric' };
    const wrong = [
      { securable_id },
      { ...base, type: 'text' },
      { ...base, subtype: 'money' },
      { ...base, aggregation_type: 'total' },
      { ...base, order: -1 },
      { ...base, order: 1.5 },
      { ...base, lowestLevel: 0 },
      { ...base, currency_id: 'euro' },
      { ...base, hidden: 1 },
      { ...base, synonyms: { en: 'Turnover' } },
      { ...base, synonyms: { en: Array.from({ length: 21 }, (_, at) => `Word ${at}`) } },
      { ...base, securable_id: randomUUID() },
      { ...base, securable_id: (await api.create('dashboard', {})).id },
    ];
    for (const properties of wrong)
      expect([properties, (await api.refused('column', { properties })).status]).toEqual([properties, 400]);
  });

  it('follow the rights on their dataset', async () => {
    const dataset = await api.create('dataset', {});
    const column = await api.create('column', { securable_id: dataset.id, type: 'numeric' });
    const person = await api.person();
    const change = { id: column.id, properties: { name: { en: 'x' } } };
    const make = { properties: { securable_id: dataset.id, type: 'numeric' } };
    expect((await api.refused('column', change, person.login)).status).toBe(404);
    expect((await api.refused('column', make, person.login)).code).toBe('reference_unknown');
    await api.associate('securable', dataset.id, 'Users', person.id, { flagUse: true });
    expect(await api.findIds('column', { where: { securable_id: dataset.id } }, person.login)).toEqual([column.id]);
    expect((await api.refused('column', change, person.login)).status).toBe(403);
    expect((await api.refused('column', make, person.login)).status).toBe(403);
    await api.associate('securable', dataset.id, 'Users', person.id, { flagModify: true });
    expect((await api.call('column', change, person.login)).status).toBe(200);
    expect((await api.call('column', make, person.login)).status).toBe(200);
    expect((await api.call('column', { action: 'delete', id: column.id }, person.login)).status).toBe(200);
  });

  it('join columns of other datasets', async () => {
    const left = await api.create('column', { securable_id: (await api.create('dataset', {})).id, type: 'hierarchy' });
    const right = await api.create('column', { securable_id: (await api.create('dataset', {})).id, type: 'hierarchy' });
    await api.associate('column', left.id, 'Joins', right.id, { type: 'exact' });
    expect(await api.links('column', left.id, 'Joins')).toEqual({ [right.id]: { type: 'exact', optional: false } });
    const wrong = {
      action: 'associate',
      id: left.id,
      resource: { role: 'Joins', id: right.id },
      properties: { type: 'inner' },
    };
    expect((await api.refused('column', wrong)).status).toBe(400);
    await api.dissociate('column', left.id, 'Joins', right.id);
    expect(await api.links('column', left.id, 'Joins')).toEqual({});
  });

  it('join by lookup where nothing is said, and the link says so', async () => {
    const from = await api.create('column', { securable_id: (await api.create('dataset', {})).id, type: 'hierarchy' });
    const to = await api.create('column', { securable_id: (await api.create('dataset', {})).id, type: 'hierarchy' });
    expect(await api.associate('column', from.id, 'Joins', to.id)).not.toHaveProperty('warnings');
    expect(await api.links('column', from.id, 'Joins')).toEqual({ [to.id]: { type: 'lookup', optional: false } });
    await api.associate('column', from.id, 'Joins', to.id, { type: 'exact' });
    await api.associate('column', from.id, 'Joins', to.id);
    expect(await api.links('column', from.id, 'Joins')).toEqual({ [to.id]: { type: 'exact', optional: false } });
    const made = await api.ok('column', {
      action: 'create',
      properties: { securable_id: (await api.create('dataset', {})).id, type: 'hierarchy' },
      associations: [{ role: 'Joins', id: to.id }],
    });
    expect(await api.links('column', made['id'], 'Joins')).toEqual({ [to.id]: { type: 'lookup', optional: false } });
  });

  it('are warned of a lookup to a column that is no key, where they may know its values', async () => {
    const { dataset, link } = linkedDatasets(api);
    const orders = await dataset([['customer'], ...Array.from({ length: 40 }, (_, index) => [index % 4])]);
    const customers = await dataset([['id'], ...Array.from({ length: 4 }, (_, index) => [index])]);
    expect(await link(orders, 'customer', customers, 'id')).not.toHaveProperty('warnings');
    expect(await link(customers, 'id', orders, 'customer', 'exact')).not.toHaveProperty('warnings');
    expect((await link(customers, 'id', orders, 'customer'))['warnings']).toEqual([
      {
        path: 'resource.id',
        code: 'lookup_not_unique',
        message: expect.stringContaining('is no key: it has about 4 distinct values in 40 rows. A lookup goes from'),
      },
    ]);
    const created = await api.ok('column', {
      action: 'create',
      properties: { securable_id: customers.id, type: 'numeric' },
      associations: [{ role: 'Joins', id: orders.columns['customer'] }],
    });
    expect(created['warnings']).toMatchObject([{ path: 'associations[0].id', code: 'lookup_not_unique' }]);
  });

  it('stay with their dataset and are deleted when dissociated', async () => {
    const from = await api.create('dataset', {});
    const to = await api.create('dataset', {});
    const { id } = await api.create('column', { securable_id: from.id, type: 'numeric' });
    const move = { action: 'associate', id: to.id, resource: { role: 'Columns', id } };
    expect((await api.refused('securable', move)).code).toBe('association_required');
    await api.dissociate('securable', to.id, 'Columns', id);
    expect((await api.get('column', id))['securable_id']).toBe(from.id);
    await api.dissociate('securable', from.id, 'Columns', id);
    expect((await api.refused('column', { action: 'get', id })).status).toBe(404);
    expect((await api.refused('column', { id, resource: { role: 'Securable', id: from.id } })).status).toBe(404);
  });

  it('are found in the order of their source where no order is asked for', async () => {
    const header = Array.from({ length: 80 }, (_, index) => `c${(index * 37) % 80}`);
    const { id } = await api.create('data', { type: 'create', data: [header.map(() => 1)], options: { header } });
    const found = await api.find('column', { where: { securable_id: id } });
    expect(found.map((one) => one['source_name'])).toEqual(header);
  });
});
