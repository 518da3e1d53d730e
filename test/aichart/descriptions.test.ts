import { isList, isObject, type JsonObject } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { linkedDatasets, type LinkedDataset } from '../support/linked-datasets.ts';
import { storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';

describe.each(storesToTest)('generated descriptions on %s', (store) => {
  const api = useApi(store);
  const { dataset, issue, credential, uses } = linkedDatasets(api);

  const orders = async (): Promise<LinkedDataset> => {
    await api.update('organization', api.organizationId, { flag_experimental_ai: true });
    return dataset([
      ['order_id', 'Region', 'Ordered', 'Revenue', 'Unit price', 'qty'],
      [1, 'North', '2024-01-05', 120.5, 60.25, 2],
      [2, 'South', '2024-02-05', 300.5, 75.5, 4],
    ]);
  };
  const ask = (datasets: unknown, resource = 'generatedescriptions') =>
    api.ok(resource, { action: 'create', properties: { datasets } });
  const described = (answer: JsonObject): readonly JsonObject[] => {
    const datasets = part(answer, 'properties') ?? null;
    const list = isObject(datasets) ? datasets['datasets'] : null;
    return isList(list) ? list.filter((one) => isObject(one)) : [];
  };
  /** Returns the descriptions of columns by their names at the source. */
  const byName = ({ columns }: LinkedDataset, answer: JsonObject | undefined): object => {
    const list = answer?.['columns'];
    const entries = isList(list) ? list.filter((one) => isObject(one)) : [];
    return Object.fromEntries(
      Object.entries(columns).map(([name, id]) => [name, entries.find((one) => one['id'] === id)?.['description']]),
    );
  };

  it('say what each column is, in sentences that can be stored as they are', async () => {
    const of = await orders();
    const formula = await api.create('formula', {
      securable_id: of.id,
      name: { en: 'Basket' },
      expression: `sum({${of.columns['Revenue']}}) / count(*)`,
    });
    const [answer] = described(await ask([of.id]));
    expect(answer?.['id']).toBe(of.id);
    expect(answer?.['description']).toEqual({
      en: 'Rows: Revenue, Unit price and Quantity by Region, over time by Ordered.',
    });
    expect(byName(of, answer)).toEqual({
      order_id: { en: 'Order id: identifies a record; it is counted, not added up.' },
      Region: { en: 'Region: a place to group by or show on a map.' },
      Ordered: { en: 'Ordered: the day to which the row belongs.' },
      Revenue: { en: 'Revenue: an amount that can be added up.' },
      'Unit price': { en: 'Unit price: a value that is averaged, because adding it up has no meaning.' },
      qty: { en: 'Quantity: an amount that can be added up.' },
    });
    expect(answer?.['formulas']).toEqual([
      { id: formula.id, description: { en: 'Basket: computed as sum(Revenue) / count(*).' } },
    ]);
    const before = await api.get('column', of.columns['Region']);
    expect(before['description']).toBeNull();
    await api.update('column', of.columns['Region'], { description: { en: 'Where the order was placed' } });
    const [kept] = described(await ask([{ id: of.id, columns: [of.columns['Region']], formulas: [] }]));
    expect(kept?.['columns']).toEqual([
      { id: of.columns['Region'], description: { en: 'Where the order was placed' } },
    ]);
    expect(kept?.['formulas']).toEqual([]);
  });

  it('have no quoted text of a formula, which may be a value of rows', async () => {
    const of = await orders();
    const expression = `sum({${of.columns['Revenue']}} where {${of.columns['Region']}} = 'Secretland')`;
    await api.create('formula', { securable_id: of.id, name: { en: 'Part' }, expression });
    const [answer] = described(await ask([of.id]));
    expect(JSON.stringify(answer)).toContain("sum(Revenue where Region = '…')");
    expect(JSON.stringify(answer)).not.toContain('Secretland');
  });

  it('are in the language of the person, in each of six', async () => {
    const of = await orders();
    const amounts = {
      en: 'an amount that can be added up.',
      nl: 'een hoeveelheid die kan worden opgeteld.',
      fr: 'une quantité qui peut être additionnée.',
      de: 'eine Menge, die summiert werden kann.',
      es: 'una cantidad que se puede sumar.',
      ar: 'كمية يمكن جمعها.',
    };
    for (const [language, sentence] of Object.entries(amounts)) {
      const person = await api.person(undefined, { locale_id: language });
      await api.associate('securable', of.id, 'Users', person.id, { flagModify: true });
      const body = { action: 'create', properties: { datasets: [{ id: of.id, columns: [of.columns['Revenue']] }] } };
      const [answer] = described(await api.ok('generatedescriptions', body, person.login));
      expect(JSON.stringify(answer?.['columns'])).toContain(`"${language}":"Revenue`);
      expect(JSON.stringify(answer?.['columns'])).toContain(sentence);
    }
  });

  it('are found under both names, and name every fault of the list', async () => {
    const of = await orders();
    expect(await ask([of.id], 'generate_descriptions')).toEqual(await ask([of.id]));
    const refusal = await api.refused('generatedescriptions', {
      action: 'create',
      properties: { datasets: ['x', { id: 7 }, { id: of.id, rows: true, columns: ['y'] }] },
    });
    expect(Object.keys(refusal.validation)).toEqual([
      'properties.datasets[0]',
      'properties.datasets[1].id',
      'properties.datasets[2].rows',
      'properties.datasets[2].columns[0]',
    ]);
    for (const datasets of [undefined, null, [], 'x', Array.from({ length: 21 }, () => of.id)])
      expect((await api.refused('generatedescriptions', { action: 'create', properties: { datasets } })).status).toBe(
        400,
      );
  });

  it('need modify on every dataset, and the switch of the organization', async () => {
    const [first, second] = [await orders(), await orders()];
    const person = await api.person();
    const body = { action: 'create', properties: { datasets: [first.id, second.id] } };
    const refusal = async () => api.refused('generatedescriptions', body, person.login);
    await api.associate('securable', first.id, 'Users', person.id, { flagModify: true });
    expect((await refusal()).validation).toHaveProperty(['properties.datasets[1]']);
    await api.associate('securable', second.id, 'Users', person.id, { flagUse: true });
    expect((await refusal()).status).toBe(403);
    await api.associate('securable', second.id, 'Users', person.id, { flagModify: true });
    expect(described(await api.ok('generatedescriptions', body, person.login))).toHaveLength(2);
    const token = credential(await issue({ access: uses(first, second) }));
    expect((await api.refused('generatedescriptions', body, token)).status).toBe(403);
    await api.update('organization', api.organizationId, { flag_experimental_ai: false });
    expect((await api.refused('generatedescriptions', body)).code).toBe('ai_disabled');
  });

  it('have no value of a row', async () => {
    await api.update('organization', api.organizationId, { flag_experimental_ai: true });
    const of = await dataset([
      ['Town', 'When', 'Paid'],
      ['Canaryville', '2031-12-24', 987654.25],
      ['Canaryville', '2031-12-25', 987655.75],
    ]);
    const answer = await ask([of.id]);
    expect(text(described(answer)[0], 'id')).toBe(of.id);
    // The digits of an id are drawn by chance and may contain any short value.
    const words = JSON.stringify(answer, (member, value: unknown) => (member === 'id' ? undefined : value));
    for (const value of ['Canaryville', '2031', '98765']) expect(words).not.toContain(value);
  });
});
