import { isList, isObject, objectOr, textOr, type JsonObject } from '@inlay/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { linkedDatasets, type LinkedDataset } from '../support/linked-datasets.ts';
import { oneStore } from '../support/service.ts';
import { part, text } from '../support/world.ts';
import { settingsFor } from './orders.ts';
import { startProvider, userMessage } from './provider-server.ts';

const provider = await startProvider();
afterAll(() => provider.close());

const api = useApi(oneStore, settingsFor(provider));
const { dataset, filter, token } = linkedDatasets(api);

async function sales(): Promise<LinkedDataset> {
  await api.update('organization', api.organizationId, { flag_experimental_ai: true });
  const of = await dataset([
    ['Town', 'Paid', 'Fee', 'Opened'],
    ['Canaryville', 987654.25, 3.5, '2024-01-05'],
    ["Canary's End", 987655.75, 4.5, '2024-02-05'],
    ['Lakeside', 1, 2, '2024-03-05'],
  ]);
  // The first search starts the engine, which may take longer than a search may.
  await api.ok('data', { find: { dimensions: [{ dataset_id: of.id, column_id: of.columns['Town'] }] } });
  return of;
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
  await formulaOf(of, 'paid in canaryvile');
  const sent = provider.arrived.slice(before).map(({ body }) => body);
  expect(sent.length).toBe(6);
  for (const body of sent)
    for (const secret of ['Canary', 'canary', '98765', of.id, column, 'where {0']) expect(body).not.toContain(secret);
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

  it('has the values that the caller sees, by their signs or in other words', async () => {
    const of = await sales();
    const behave = (formula: string): void => provider.behave(() => JSON.stringify({ formula }));
    behave("sum({c1} where {c0} = '<v1>')");
    expect(await formulaOf(of, 'paid in canaryville')).toBe("sum({Paid} where {Town} = 'Canaryville')");
    const sent = provider.arrived.at(-1);
    const { text: prompt, values } = objectOr(JSON.parse(sent === undefined ? '{}' : userMessage(sent)));
    expect([prompt, values]).toEqual(['paid in <v1>', [{ value: '<v1>', columns: ['c0'] }]]);
    behave("sum({c1} where {c0} in ('CANARYVILLE', 'canary s end') and {c3} >= '2024-01-01')");
    expect(await formulaOf(of, 'paid in all the places')).toBe(
      "sum({Paid} where {Town} in ('Canaryville', 'Canary''s End') and {Opened} >= '2024-01-01')",
    );
  });

  it('has no value that the caller does not see, which is answered as one that does not exist', async () => {
    const of = await sales();
    const by = await token([of], [filter(of, 'Town', 'Canaryville')]);
    provider.behave((arrived) => {
      const { text: prompt } = objectOr(JSON.parse(userMessage(arrived)));
      const town = textOr(prompt, '').split(' ').at(-1) ?? '';
      return JSON.stringify({ formula: `sum({c1} where {c0} = '${town}')` });
    });
    const answerTo = async (town: string): Promise<string> => {
      const properties = { prompt: `paid in ${town}`, dataset_ids: [of.id] };
      const { status, body } = await api.call('iqformula', { action: 'create', properties }, by);
      const { request_id: _, ...answer } = objectOr(isObject(body) ? body : null);
      return `${status} ${JSON.stringify(answer)}`.replaceAll(town, 'town');
    };
    await expect.poll(() => answerTo('canaryville'), { timeout: 20_000 }).toContain("= 'Canaryville'");
    expect(await answerTo('lakeside')).toBe(await answerTo('zebraville'));
    expect(await answerTo('lakeside')).toMatch(/^400 /u);
  });

  it('is not answered where one of its values does not exist, or is no value that can be looked up', async () => {
    const of = await sales();
    const asked = (formula: string): Promise<string> => {
      provider.behave(() => JSON.stringify({ formula }));
      return formulaOf(of, 'total paid');
    };
    for (const text of ['Atlantis', '<v1>', '<v7>'])
      expect(await asked(`sum({c1} where {c0} != '${text}')`)).toBe('sum({Paid})');
    const before = provider.arrived.length;
    for (const condition of ["lower({c0}) = 'canaryville'", "contains({c0}, 'Canary')", "{c0} > 'C'"])
      expect(await asked(`sum({c1} where ${condition})`)).toBe('sum({Paid})');
    const corrections = provider.arrived
      .slice(before)
      .filter(({ body }) => body.includes('not compared with a column'));
    expect(corrections.length).toBe(3);
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
      Opened: 'Opened: the day to which the row belongs.',
    });
    for (const text of ['', '[]', '{"description": 7}', 'Sorry, no.']) {
      provider.behave(() => text);
      expect(await descriptionsOf(of)).toMatchObject({ Paid: 'Paid: an amount that can be added up.' });
    }
  });
});
