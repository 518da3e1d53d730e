import { isList, isObject, type JsonObject } from '@inlay/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { linkedDatasets, type LinkedDataset } from '../support/linked-datasets.ts';
import { oneStore } from '../support/service.ts';
import { part, text } from '../support/world.ts';
import { settingsFor } from './orders.ts';
import { startProvider } from './provider-server.ts';

const provider = await startProvider();
afterAll(() => provider.close());

const api = useApi(oneStore, settingsFor(provider));
const { dataset } = linkedDatasets(api);

async function sales(): Promise<LinkedDataset> {
  await api.update('organization', api.organizationId, { flag_experimental_ai: true });
  return dataset([
    ['Town', 'Paid', 'Fee'],
    ['Canaryville', 987654.25, 3.5],
    ['Canarytown', 987655.75, 4.5],
  ]);
}

const formulaOf = async (of: LinkedDataset, prompt: string): Promise<string> => {
  const properties = { prompt, dataset_ids: [of.id] };
  const formula = text(await api.ok('iqformula', { action: 'create', properties }), 'formula');
  return Object.entries(of.columns).reduce((written, [name, id]) => written.replaceAll(id, name), formula);
};

/** Returns the descriptions of columns by their names at the source, and that of the dataset as `dataset`. */
async function descriptionsOf({ id, columns }: LinkedDataset): Promise<object> {
  const answer = await api.ok('generatedescriptions', { action: 'create', properties: { datasets: [id] } });
  const list = part(answer['properties'], 'datasets') ?? null;
  const [one] = isList(list) ? list.filter((entry): entry is JsonObject => isObject(entry)) : [];
  const parts = one?.['columns'] ?? null;
  const entries = isList(parts) ? parts.filter((entry): entry is JsonObject => isObject(entry)) : [];
  const textOf = (record: JsonObject | undefined): unknown => part(record?.['description'] ?? null, 'en');
  return Object.fromEntries([
    ['dataset', textOf(one)],
    ...Object.entries(columns).map(([name, column]) => [name, textOf(entries.find((entry) => entry['id'] === column))]),
  ]);
}

// First, since a provider that fails is left alone for a while.
it('a provider is sent no value of a row, no id and no formula', async () => {
  const of = await sales();
  const column = of.columns['Town'] ?? '';
  await api.create('formula', {
    securable_id: of.id,
    name: { en: 'Share' },
    expression: `count(* where {${column}} = 'Canaryville') / count(*)`,
  });
  const before = provider.arrived.length;
  provider.behave(() => '{}');
  await descriptionsOf(of);
  await formulaOf(of, 'total paid');
  const sent = provider.arrived.slice(before).map(({ body }) => body);
  expect(sent.length).toBeGreaterThanOrEqual(3);
  for (const body of sent)
    for (const secret of ['Canary', '98765', of.id, column, 'where {0']) expect(body).not.toContain(secret);
});

describe('a formula of a provider', () => {
  it('is answered once it is valid, with the columns of the dataset', async () => {
    const of = await sales();
    provider.behave(() => '{"formula": "round(sum({c1} where {c2} > 3) / count(*), 1)"}');
    expect(await formulaOf(of, 'what people pay')).toBe('round(sum({Paid} where {Fee} > 3) / count(*), 1)');
  });

  it('is sent back once where it is wrong, and then written without the provider', async () => {
    const of = await sales();
    const wrong = [
      '{"formula": "sum({c9})"}',
      '{"formula": "sum({c1}"}',
      '{"formula": "sum({c0})"}',
      '{}',
      'no',
      '{"formula": 7}',
    ];
    for (const text of wrong) {
      const before = provider.arrived.length;
      provider.behave((_, nth) => (nth === before + 1 ? text : '{"formula": "max({c1})"}'));
      expect([text, await formulaOf(of, 'total paid')]).toEqual([text, 'max({Paid})']);
      provider.behave(() => text);
      expect([text, await formulaOf(of, 'total paid')]).toEqual([text, 'sum({Paid})']);
    }
    provider.behave(() => '{"formula": null}');
    expect(await formulaOf(of, 'total paid')).toBe('sum({Paid})');
  });
});

describe('descriptions of a provider', () => {
  it('replace those without it where there are any, as one line of text', async () => {
    const of = await sales();
    provider.behave(() =>
      JSON.stringify({
        description: 'What towns\n paid.',
        columns: [
          { id: 'c1', description: `  The sum\u202e that ${'x'.repeat(600)}` },
          { id: 'c2', description: '' },
          { id: 'c9', description: 'nothing' },
          7,
        ],
        formulas: [],
      }),
    );
    expect(await descriptionsOf(of)).toEqual({
      dataset: 'What towns paid.',
      Town: 'Town: a category with few different values, to compare and filter by.',
      Paid: `The sum that ${'x'.repeat(487)}`,
      Fee: 'Fee: an amount that can be added up.',
    });
    for (const text of ['', '[]', '{"description": 7}', 'Sorry, no.']) {
      provider.behave(() => text);
      expect(await descriptionsOf(of)).toMatchObject({ Paid: 'Paid: an amount that can be added up.' });
    }
  });
});
