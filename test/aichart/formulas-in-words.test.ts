import { isObject } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { linkedDatasets, type LinkedDataset } from '../support/linked-datasets.ts';
import { storesToTest } from '../support/service.ts';
import { text } from '../support/world.ts';

describe.each(storesToTest)('formulas in words on %s', (store) => {
  const api = useApi(store);
  const { dataset, filter, token } = linkedDatasets(api);

  const bookings = async (): Promise<LinkedDataset> => {
    await api.update('organization', api.organizationId, { flag_experimental_ai: true });
    return dataset([
      ['Channel', 'Guest', 'Arrival', 'Revenue', 'Cost', 'Price', 'Cancelled'],
      ['Web', 'Ada', '2024-01-05', 120, 80, 60, 'yes'],
      ['Phone', 'Ben', '2024-02-05', 300, 90, 75, 'no'],
      ['Web', 'Cleo', '2024-03-05', 90, 60, 45, 'no'],
    ]);
  };
  const asked = (prompt: string, of: readonly LinkedDataset[] | null) => ({
    action: 'create',
    properties: { prompt, ...(of === null ? {} : { dataset_ids: of.map(({ id }) => id) }) },
  });
  /** Returns a formula with the names of its columns instead of their ids. */
  const named = ({ columns }: LinkedDataset, formula: unknown): string =>
    Object.entries(columns).reduce((written, [name, id]) => written.replaceAll(id, name), String(formula));

  it('are read as the measure of a question, in five languages, with its conditions', async () => {
    const of = await bookings();
    const expected = {
      'revenue divided by cost': 'sum({Revenue}) / sum({Cost})',
      'revenue per guest': 'sum({Revenue}) / distinctcount({Guest})',
      'revenue minus cost': 'sum({Revenue}) - sum({Cost})',
      'total revenue': 'sum({Revenue})',
      'average price': 'avg({Price})',
      price: 'avg({Price})',
      'median revenue': 'median({Revenue})',
      'number of unique guests': 'distinctcount({Guest})',
      'unique guests': 'distinctcount({Guest})',
      'how many guests': 'distinctcount({Guest})',
      'number of rows': 'count(*)',
      'revenue from the web': "sum({Revenue} where {Channel} in ('Web'))",
      'cancellation rate': "count(* where {Cancelled} in ('yes')) / count(*)",
      'revenue in 2024':
        "sum({Revenue} where {Arrival} >= date('2024-01-01') and {Arrival} < dateadd('year', 1, date('2024-01-01')))",
      'revenue from the web or over 100': "sum({Revenue} where ({Channel} in ('Web')) or ({Revenue} > 100))",
      'revenue on weekends without the web':
        "sum({Revenue} where ({Channel} not in ('Web')) and (weekday({Arrival}) in (6, 7)))",
      'gemiddelde price': 'avg({Price})',
      'revenue par guest': 'sum({Revenue}) / distinctcount({Guest})',
    };
    const formulas: Record<string, string> = {};
    // The first search starts the engine, which may take longer than a search may.
    await api.ok('data', { find: { dimensions: [{ dataset_id: of.id, column_id: of.columns['Channel'] }] } });
    for (const prompt of Object.keys(expected)) {
      const { status, body } = await api.call('iqformula', asked(prompt, [of]));
      formulas[prompt] = status === 200 && isObject(body) ? named(of, body['formula']) : JSON.stringify(body);
    }
    expect(formulas).toEqual(expected);
  });

  it('have no other formula of the dataset in them', async () => {
    const of = await bookings();
    const expression = `sum({${of.columns['Revenue']}}) - sum({${of.columns['Cost']}})`;
    const { id } = await api.create('formula', { securable_id: of.id, name: { en: 'Leftover' }, expression });
    const { status, body } = await api.call('iqformula', asked('leftover', [of]));
    expect(status).toBe(400);
    expect(JSON.stringify(body)).not.toContain(id);
  });

  it('name values that the caller sees, and answer hidden ones as words that exist nowhere', async () => {
    const of = await bookings();
    const filtered = await token([of], [filter(of, 'Channel', 'Web')]);
    const answerTo = async (word: string): Promise<string> => {
      const { status, body } = await api.call('iqformula', asked(`revenue from the ${word}`, [of]), filtered);
      const { request_id: _, ...answer } = isObject(body) ? body : {};
      return named(of, `${status} ${JSON.stringify(answer)}`).replaceAll(word, '·');
    };
    await expect.poll(() => answerTo('web')).toContain("sum({Revenue} where {Channel} in ('Web'))");
    expect(await answerTo('phone')).toBe(await answerTo('zebra'));
  });

  it('are rates of columns of true and false, which a stored formula takes without a warning', async () => {
    await bookings();
    const of = await dataset([
      ['Order', 'Returned'],
      ['A', true],
      ['B', false],
    ]);
    const { formula } = await api.ok('iqformula', asked('return rate', [of]));
    expect(named(of, formula)).toBe('count(* where {Returned} = true) / count(*)');
    const stored = await api.create('formula', { securable_id: of.id, name: { en: 'Returned' }, expression: formula });
    expect(stored).not.toHaveProperty('warnings');
  });

  it('are refused with what was not understood and an example that works', async () => {
    const of = await bookings();
    const refused = {
      'revenue by channel': '"channel"',
      'revenue per month': '"month"',
      'top 5 guests by revenue': '"top 5"',
      'revenue of the zebras': '"zebras"',
      'running total of revenue': 'formulas cannot compute this',
      'revenue 2023 vs 2022': '"2023 vs 2022"',
      'revenue compared to last year': '"compared to last year"',
      'growth of revenue': '"growth"',
      'distribution of revenue': '"distribution"',
      'revenue of web vs phone': '"Web", "Phone"',
      'revenue and cost': '"revenue"',
      hello: 'nothing that can be computed',
    };
    for (const [prompt, said] of Object.entries(refused)) {
      const refusal = await api.refused('iqformula', asked(prompt, [of]));
      expect([prompt, refusal.status, refusal.code]).toEqual([prompt, 400, 'iqformula_unreadable']);
      const faults = refusal.validation['properties.prompt'];
      expect(JSON.stringify(faults).replaceAll('\\"', '"')).toContain(said);
      const example = /this is read, for example: ([^"]*)/u.exec(JSON.stringify(faults))?.[1] ?? '';
      expect((await api.ok('iqformula', asked(example, [of])))['type']).toBe('expression');
    }
  });

  it('are over the dataset that has the columns, which is named where several have them', async () => {
    const [first, second] = [await bookings(), await bookings()];
    const other = await dataset([
      ['Breed', 'Milk'],
      ['Jersey', 20],
    ]);
    const formulaOf = async (prompt: string, of: readonly LinkedDataset[] | null): Promise<string> =>
      text(await api.ok('iqformula', asked(prompt, of)), 'formula');
    expect(named(other, await formulaOf('average milk', null))).toBe('avg({Milk})');
    expect(named(second, await formulaOf('total cost', [other, second]))).toBe('sum({Cost})');
    expect(named(first, await formulaOf('total cost', [first]))).toBe('sum({Cost})');
    const several = await api.refused('iqformula', asked('total cost', null));
    expect(JSON.stringify(several.validation)).toContain('several datasets');
  });

  it('need use on the datasets, and the switch of the organization', async () => {
    const of = await bookings();
    const person = await api.person();
    expect((await api.refused('iqformula', asked('total cost', [of]), person.login)).code).toBe('reference_unknown');
    expect((await api.refused('iqformula', asked('total cost', null), person.login)).code).toBe('iqformula_unreadable');
    await api.associate('securable', of.id, 'Users', person.id, { flagRead: true });
    expect((await api.refused('iqformula', asked('total cost', [of]), person.login)).status).toBe(403);
    expect((await api.refused('iqformula', asked('total cost', null), person.login)).code).toBe('iqformula_unreadable');
    await api.associate('securable', of.id, 'Users', person.id, { flagUse: true });
    expect(await api.ok('iqformula', asked('total cost', null), person.login)).toMatchObject({ type: 'expression' });
    await api.update('organization', api.organizationId, { flag_experimental_ai: false });
    expect((await api.refused('iqformula', asked('total cost', [of]))).code).toBe('ai_disabled');
  });
});
