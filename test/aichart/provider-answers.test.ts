import { setTimeout } from 'node:timers/promises';
import { isList, itemQuery, listOr, objectOr, readItem, textOr, type Json, type JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { oneStore } from '../support/service.ts';
import { part, text } from '../support/world.ts';
import { settingsFor } from './orders.ts';
import { columnsTold, startProvider, userMessage, type Arrived } from './provider-server.ts';

const provider = await startProvider();
afterAll(() => provider.close());

const rows: readonly (readonly (string | number)[])[] = [
  ['region', 'city', 'paid', 'sold', 'amount', 'cost'],
  ...Array.from({ length: 60 }, (_, row) => [
    ['North', 'South', 'East'][row % 3] ?? '',
    ['Hamburg', 'Porto', 'Top Line', 'Lyon'][row % 4] ?? '',
    row % 5 === 0 ? 'no' : 'yes',
    `${2023 + (row % 2)}-${String((row % 12) + 1).padStart(2, '0')}-05`,
    row * 10,
    row + 1,
  ]),
];

/** Returns the id of a column in a request. */
type ColumnId = (name: string) => string;
/** Returns what an answer has besides a column chart of the amount by region. */
type Answer = (id: ColumnId, signs: readonly string[]) => JsonObject;

const idsOf =
  (arrived: Arrived): ColumnId =>
  (name) =>
    columnsTold(arrived).find((column) => column.name.toLowerCase() === name)?.id ?? '';

const placed = (column: string, aggregation: string | null = null): JsonObject => ({
  column,
  aggregation,
  grain: null,
});
const measured = (id: ColumnId, measure: Json, group = 'region'): readonly Json[] => [
  { name: 'x-axis', columns: [placed(id(group))] },
  { name: 'measure', columns: [measure] },
  { name: 'legend', columns: [] },
];

/** Answers with a chart; a request for a correction with a right one. */
function answering(answer: Answer): void {
  provider.behave((arrived) => {
    const isCorrection = arrived.body.includes('Your last answer was wrong');
    const id = idsOf(arrived);
    const { values } = objectOr(JSON.parse(userMessage(arrived)));
    const signs = listOr(values).map((value) => textOr(part(value, 'value'), ''));
    return JSON.stringify({
      cannot: null,
      type: 'column-chart',
      slots: measured(id, placed(id('amount'), 'sum')),
      sort: null,
      limit: null,
      conditions: [],
      comparison: null,
      follow_up: false,
      unread: [],
      ...(isCorrection ? {} : answer(id, signs)),
    });
  });
}

const values = (column: string, ...texts: readonly string[]): JsonObject => ({
  kind: 'values',
  column,
  values: [...texts],
  excluded: false,
});
const span = (column: string, ...spans: readonly JsonObject[]): JsonObject => ({
  kind: 'span',
  column,
  spans: [...spans],
  excluded: false,
});
const relative = (expression: string, unit: string, quantity: number): JsonObject => ({
  kind: 'relative',
  expression,
  unit,
  quantity,
});

describe('the chart of a provider', () => {
  const api = useApi(oneStore, settingsFor(provider), () => Date.parse('2024-06-15T12:00:00Z'));
  const held = { dataset: '', names: new Map<string, string>() };

  beforeAll(async () => {
    await api.update('organization', api.organizationId, { flag_experimental_ai: true });
    const data = rows.map((row) => [...row]);
    held.dataset = (await api.create('data', { type: 'create', data, options: { header: true } })).id;
    for (const column of await api.find('column', { where: { securable_id: held.dataset } }))
      held.names.set(text(column, 'id'), text(column, 'source_name'));
    // The first lookups may be late, which the answers tell.
    while (JSON.stringify(await ask('amount by region, only Atlantis')).includes('Not all columns'))
      await setTimeout(1000);
  }, 120_000);

  const ask = (question: string, message_history: readonly string[] = []): Promise<JsonObject> =>
    api.ok('aichart', {
      properties: { dataset_id: held.dataset, type: 'generate-chart', question, message_history: [...message_history] },
    });
  /** Returns the filters of an answer, with the names of columns. */
  const filtersOf = (answer: JsonObject): unknown => {
    let written = JSON.stringify(part(answer['generatedChart'], 'filters') ?? []);
    for (const [id, name] of held.names) written = written.replaceAll(id, name);
    const filters: Json = JSON.parse(written);
    return listOr(filters).map((filter) => [
      part(filter, 'expression') ?? null,
      part(listOr(part(filter, 'parameters'))[0], 'column_id') ?? null,
      listOr(part(filter, 'parameters'))[1] ?? null,
      part(part(filter, 'properties'), 'type') ?? null,
    ]);
  };
  const formulasOf = (answer: JsonObject): readonly string[] => {
    const slots = listOr(part(answer['generatedChart'], 'slots'));
    const contents = slots.flatMap((slot) => listOr(part(slot, 'content')));
    return contents.flatMap((content) => {
      let formula = textOr(part(content, 'formula'), '');
      for (const [id, name] of held.names) formula = formula.replaceAll(id, name);
      return formula === '' ? [] : [formula];
    });
  };
  /** Runs the query of the item, as the elements do. */
  const rowsOf = async (answer: JsonObject): Promise<readonly Json[]> => {
    const read = readItem({ ...objectOr(answer['generatedChart']), id: 'one' });
    const query = read === null ? null : itemQuery(read);
    const { body, status } = await api.call('data', { action: 'get', find: query?.query ?? {} });
    expect(status, JSON.stringify(body)).toBe(200);
    const data = part(body, 'data');
    return isList(data) ? data : [];
  };
  const sentLast = (): JsonObject => {
    const last = provider.arrived.at(-1);
    return last === undefined ? {} : objectOr(JSON.parse(userMessage(last)));
  };

  it.each<readonly [kind: string, question: string, answer: Answer, filter: Json]>([
    [
      'a value that the question names',
      'amount by region only porto',
      (id, signs) => ({ conditions: [values(id('city'), ...signs)] }),
      ['? in ?', 'city', ['Porto'], 'where'],
    ],
    [
      'a value that the question writes in other words',
      'amount by region for the hanseatic city',
      (id) => ({ conditions: [values(id('city'), 'hamburg')] }),
      ['? in ?', 'city', ['Hamburg'], 'where'],
    ],
    [
      'a value of another column than the provider thought',
      'amount by region only porto',
      (id, signs) => ({ conditions: [values(id('paid'), ...signs)] }),
      ['? in ?', 'city', ['Porto'], 'where'],
    ],
    [
      'a relative span',
      'amount by region, last 6 weeks',
      (id) => ({ conditions: [span(id('sold'), relative('last_now', 'week', 6))] }),
      ['last_now', 'sold', { unit: 'week', quantity: 6 }, 'where'],
    ],
    [
      'a period, from any of its days',
      'amount by region in May 2023',
      (id) => ({ conditions: [span(id('sold'), { kind: 'period', unit: 'month', day: '2023-05-17' })] }),
      ['? = ?', 'sold', '2023-05-01', 'where'],
    ],
    [
      'days on one side',
      'amount by region since May 2024',
      (id) => ({ conditions: [span(id('sold'), { kind: 'between', from: '2024-05-01', to: null })] }),
      ['? >= ?', 'sold', '2024-05-01', 'where'],
    ],
    [
      'a bound of rows',
      'amount by region, amount over 250',
      (id) => ({ conditions: [{ kind: 'bound', column: id('amount'), operator: '>', values: [250] }] }),
      ['? > ?', 'amount', 250, 'where'],
    ],
    [
      'a bound of groups',
      'regions with more than 12 rows',
      () => ({ conditions: [{ kind: 'group_bound', column: null, operator: '>', values: [12] }] }),
      ['? > ?', '*', 12, 'having'],
    ],
  ])('has %s as a filter that the rows are queried with', async (_, question, answer, filter) => {
    answering(answer);
    const answered = await ask(question);
    expect(filtersOf(answered)).toEqual([filter]);
    await rowsOf(answered);
  });

  it.each<readonly [kind: string, answer: Answer, formulas: readonly string[]]>([
    [
      'ratio',
      (id) => ({
        slots: measured(id, {
          formula: {
            kind: 'ratio',
            of: { column: id('amount'), aggregation: 'sum' },
            to: { column: id('cost'), aggregation: 'sum' },
            percent: false,
          },
        }),
      }),
      ['sum({amount}) / sum({cost})'],
    ],
    [
      'difference',
      (id) => ({
        slots: measured(id, {
          formula: {
            kind: 'difference',
            of: { column: id('amount'), aggregation: 'sum' },
            to: { column: id('cost'), aggregation: 'sum' },
          },
        }),
      }),
      ['sum({amount}) - sum({cost})'],
    ],
    [
      'rate',
      (id) => ({
        slots: measured(id, { formula: { kind: 'rate', column: id('paid'), values: ['yes'] } }),
      }),
      ["count(* where {paid} in ('yes')) / count(*)"],
    ],
    [
      'measure on parts of a time',
      (id) => ({ conditions: [span(id('sold'), { kind: 'parts', part: 'weekday', values: [6, 7] })] }),
      ['sum({amount} where weekday({sold}) in (6, 7))'],
    ],
    [
      'comparison with the year before',
      (id) => ({ comparison: { column: id('sold'), current: relative('ago', 'year', 0), previous: 'year' } }),
      [
        "sum({amount} where {sold} >= datetrunc('year', now()) and {sold} < dateadd('year', 1, datetrunc('year', now())))",
        "sum({amount} where {sold} >= dateadd('year', -1, datetrunc('year', now())) and {sold} < dateadd('year', -1, dateadd('year', 1, datetrunc('year', now()))))",
      ],
    ],
  ])('has a %s as formulas that are queried', async (_, answer, formulas) => {
    answering(answer);
    const answered = await ask('amount by region');
    expect(formulasOf(answered)).toEqual(formulas);
    expect((await rowsOf(answered)).length).toBeGreaterThan(0);
  });

  it('says what it left out, in the language of the question', async () => {
    answering(() => ({}));
    expect((await ask('montant par region, seulement Atlantis'))['message']).toBe(
      '“Atlantis” n’a pas été utilisé : aucune colonne ne porte ce nom, et rien n’a été trouvé dans les colonnes où je peux chercher.',
    );
    expect((await ask('amount by region in 2023, only Porto'))['message']).toContain('“Porto”, “in 2023”');
    answering(() => ({ unread: ['sideways'] }));
    const answered = await ask('amount by region sideways');
    expect(answered['message']).toContain('“sideways” was left out');
    expect(listOr(answered['alternatives'] ?? null).length).toBeGreaterThan(0);
  });

  it('says as what it read other words, and never in words of the provider', async () => {
    answering((id) => ({ conditions: [values(id('city'), 'hamburg', 'nowhere at all')], unread: ['<b>evil</b>'] }));
    const answered = await ask('amount by region for hanseatic');
    expect(answered['message']).toBe('“hanseatic” was read as Hamburg.');
    expect(JSON.stringify(answered)).not.toMatch(/nowhere|evil/u);
  });

  it.each<readonly [dropped: string, question: string, answer: Answer]>([
    [
      '“since March”, “over 100”',
      'amount by region since March, over 100',
      (id) => ({ conditions: [span(id('sold'), relative('ago', 'year', 0))], limit: 10 }),
    ],
    [
      '“on Mondays”',
      'amount by region on Mondays in 2023',
      (id) => ({ conditions: [span(id('sold'), { kind: 'period', unit: 'year', day: '2023-01-01' })] }),
    ],
    [
      '“2023 vs 2022”',
      'amount by region 2023 vs 2022',
      (id) => ({ conditions: [span(id('sold'), { kind: 'period', unit: 'year', day: '2023-01-01' })] }),
    ],
    [
      '“without weekends”',
      'amount by region without weekends',
      (id) => ({ conditions: [span(id('sold'), { kind: 'parts', part: 'weekday', values: [6, 7] })] }),
    ],
  ])(
    'says that it does not have %s, though it has another condition of that kind',
    async (dropped, question, answer) => {
      answering(answer);
      expect((await ask(question))['message']).toBe(
        `The chart does not have the condition ${dropped}: add it as a filter.`,
      );
    },
  );

  it.each<readonly [question: string, answer: Answer]>([
    [
      'amount by region since March',
      (id) => ({ conditions: [span(id('sold'), { kind: 'between', from: '2024-03-01', to: null })] }),
    ],
    [
      'amount by region this year',
      (id) => ({ conditions: [span(id('sold'), { kind: 'period', unit: 'year', day: '2024-06-15' })] }),
    ],
    [
      'amount by region in 2022 and 2023',
      (id) => ({ conditions: [span(id('sold'), { kind: 'between', from: '2022-01-01', to: '2023-12-31' })] }),
    ],
    [
      'amount by region without weekends',
      (id) => ({ conditions: [span(id('sold'), { kind: 'parts', part: 'weekday', values: [1, 2, 3, 4, 5] })] }),
    ],
    [
      'amount by region in Q4 of every year',
      (id) => ({ conditions: [span(id('sold'), { kind: 'parts', part: 'month', values: [10, 11, 12] })] }),
    ],
    [
      'amount by region with amount between 10 and 20',
      (id) => ({
        conditions: [
          { kind: 'bound', column: id('amount'), operator: '>=', values: [10] },
          { kind: 'bound', column: id('amount'), operator: '<=', values: [20] },
        ],
      }),
    ],
    [
      'amount by region 2023 vs 2022',
      (id) => ({
        comparison: {
          column: id('sold'),
          current: { kind: 'period', unit: 'year', day: '2023-01-01' },
          previous: 'year',
        },
      }),
    ],
  ])('says nothing of conditions that it has in other words: %s', async (question, answer) => {
    answering(answer);
    expect((await ask(question))['message'] ?? null).toBeNull();
  });

  it('says of words that it could not find as a value that they were left out, not as what they were read', async () => {
    answering((id) => ({ conditions: [values(id('city'), 'Narnia', 'Hamburg')] }));
    expect((await ask('amount of Narnia'))['message']).toBe(
      '“Narnia” was left out: it names no column, and was not found in the columns that I can search.',
    );
    answering((id, [sign = '']) => ({ conditions: [values(id('city'), sign === '' ? '' : 'Porto')] }));
    expect((await ask('amount by region only porto'))['message'] ?? null).toBeNull();
  });

  it('says which filters it keeps where the messages before may have others', async () => {
    answering(() => ({ follow_up: true }));
    const kept = async (...history: readonly string[]): Promise<unknown> =>
      (await ask('amount by region', history))['message'] ?? null;
    expect(await kept('amount by city only Porto')).toBeNull();
    expect(await kept('amount by city only Porto in 2023 for overseas clients')).toBe(
      'Of the messages before, the chart keeps the filters “Porto”, “2023”.',
    );
    expect(await kept('amount by city for overseas clients')).toBe(
      'Of the messages before, the chart keeps no filter.',
    );
  });

  it('says what the dataset lacks where the provider cannot answer', async () => {
    answering(() => ({ cannot: 'number', type: 'none', slots: null }));
    const answered = await ask('wat is de gemiddelde winst per regio');
    expect(answered['message']).toBe(
      'De dataset heeft geen getal dat de vraag beantwoordt; deze grafiek zegt er het meest over.',
    );
    expect(listOr(answered['alternatives'] ?? null).length).toBeGreaterThan(0);
  });

  it('is the chart of the built-in engine where a rate has no value that exists', async () => {
    answering((id) => ({
      slots: measured(id, { formula: { kind: 'rate', column: id('paid'), values: ['perhaps'] } }),
    }));
    expect(part((await ask('amount by region'))['generatedChart'], 'type')).toBe('bar-chart');
  });

  it('keeps the filters of the messages before, of which known words alone are sent', async () => {
    answering((id) => ({ slots: measured(id, placed(id('cost'), 'sum'), 'city'), follow_up: true }));
    const answered = await ask('cost by city instead', [
      'amount by region only Porto',
      'Amount by Region, Porto; gibberish',
    ]);
    expect(filtersOf(answered)).toEqual([['? in ?', 'city', ['Porto'], 'where']]);
    expect(sentLast()).toMatchObject({
      earlier: ['amount by region only <v1>', 'Amount by Region, <v1>; …'],
      question: 'cost by city instead',
      today: '2024-06-15',
      week_starts_on: 'Monday',
      time_zone: 'UTC',
    });
    answering((id) => ({ slots: measured(id, placed(id('cost'), 'sum'), 'city'), follow_up: false }));
    expect(filtersOf(await ask('cost by city', ['amount by region only Porto']))).toEqual([]);
  });

  it('keeps the weekdays of the messages before, which the measure has', async () => {
    answering((id) => ({ slots: measured(id, placed(id('cost'), 'sum'), 'city'), follow_up: true }));
    const history = ['amount by region on weekends'];
    expect(formulasOf(await ask('cost by city instead', history))).toEqual([
      'sum({cost} where weekday({sold}) in (6, 7))',
    ]);
    answering((id) => ({
      follow_up: true,
      conditions: [span(id('sold'), { kind: 'period', unit: 'year', day: '2024-01-01' })],
    }));
    const answered = await ask('only 2024', history);
    expect(formulasOf(answered)).toEqual(['sum({amount} where weekday({sold}) in (6, 7))']);
    expect(filtersOf(answered)).toEqual([['? = ?', 'sold', '2024-01-01', 'where']]);
  });

  it('loses only the filters that a message takes away, and says nothing of them', async () => {
    const history = ['amount by region in 2023, only Porto'];
    answering((id) => ({ slots: measured(id, placed(id('amount'), 'sum')), follow_up: true }));
    const kept = await ask('drop the Porto filter', history);
    expect(filtersOf(kept)).toEqual([['? = ?', 'sold', '2023-01-01', 'where']]);
    expect(JSON.stringify(kept)).not.toContain('does not have the condition');
  });

  it('compares periods of which none is cut by the filter before', async () => {
    answering((id) => ({
      slots: measured(id, placed(id('amount'), 'sum')),
      follow_up: true,
      comparison: {
        column: id('sold'),
        current: { kind: 'period', unit: 'year', day: '2024-01-01' },
        previous: 'year',
      },
    }));
    expect(filtersOf(await ask('compare 2024 with 2023', ['amount by region in 2023']))).toEqual([]);
  });

  it('is asked for without a value of known words that a client copied from an answer', async () => {
    answering(() => ({}));
    await ask('now by region', ['amount by city, only "top line"', 'Amount by City, Top Line']);
    expect(sentLast()['earlier']).toEqual(['amount by city, only "<v1>"', 'Amount by City, <v1>']);
  });

  it.each<readonly [fault: string, answer: Answer]>([
    ['conditions[0]', (id) => ({ conditions: [values(id('amount'), 'x')] })],
    ['conditions[0]', (id) => ({ conditions: [span(id('sold'), relative('sometime', 'week', 6))] })],
    ['conditions[0]', (id) => ({ conditions: [span(id('sold'), { kind: 'period', unit: 'day', day: '2023-02-30' })] })],
    ['conditions[0]', (id) => ({ conditions: [span(id('sold'), { kind: 'parts', part: 'hour', values: [24] })] })],
    [
      'conditions[0]',
      (id) => ({ conditions: [{ kind: 'bound', column: id('amount'), operator: '>', values: [1, 2] }] }),
    ],
    ['comparison', (id) => ({ comparison: { column: id('region'), current: null, previous: 'year' } })],
    [
      'comparison',
      (id) => ({
        comparison: {
          column: id('sold'),
          current: { kind: 'between', from: '2024-01-01', to: '2024-02-01' },
          previous: 'previous',
        },
      }),
    ],
    ['slots[1]', (id) => ({ slots: measured(id, { formula: { kind: 'power', of: null, to: null } }) })],
    ['slots[1]', (id) => ({ slots: measured(id, { formula: { kind: 'rate', column: id('amount'), values: ['x'] } }) })],
    [
      'conditions[0]',
      (id) => ({ conditions: [values(id('city'), ...Array.from({ length: 21 }, (_, at) => `v${at}`))] }),
    ],
    ['conditions[0]', (id) => ({ conditions: [values(id('city'), 'x'.repeat(101))] })],
    [
      'more than 40 values',
      (id) => ({
        conditions: ['a', 'b', 'c'].map((letter) =>
          values(id('city'), ...Array.from({ length: 15 }, (_, at) => `${letter}${at}`)),
        ),
      }),
    ],
    ['limit', () => ({ limit: 5000 })],
    [
      'cannot be computed',
      (id) => ({
        conditions: [{ ...span(id('sold'), relative('last_available', 'month', 1)), excluded: true }],
      }),
    ],
  ])('is asked for once more where the answer is wrong: %s', async (fault, answer) => {
    answering(answer);
    const before = provider.arrived.length;
    expect(part((await ask('amount by region'))['generatedChart'], 'type')).toBe('column-chart');
    const [, correction] = provider.arrived.slice(before);
    expect(provider.arrived.length - before).toBe(2);
    expect(correction?.body).toContain(fault);
  });
});
