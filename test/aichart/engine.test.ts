import { checkItem, dataItemTypes, isList, isObject, slotsOf, type Json } from '@inlay/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idOf, readDatasets, readQuestions } from '../../bench/nl2vis/own-questions.ts';
import { judge } from '../../bench/nl2vis/own-score.ts';
import { assemble } from '../../packages/service/src/aichart/write/assemble.ts';
import type { ChartColumn, ChartDataset } from '../../packages/service/src/aichart/dataset.ts';
import { ask, requestedKindOf, type Ask } from '../../packages/service/src/aichart/engine.ts';
import { examples } from '../../packages/service/src/aichart/write/examples.ts';
import { counted } from '../support/counts.ts';

const itemFor = (dataset: ChartDataset, asked: Ask) => {
  const { profile, plans } = ask(dataset, asked);
  return plans.map((plan) => assemble(profile, plan, idOf(0, 1)).item);
};
const faults = (dataset: ChartDataset, item: ReturnType<typeof itemFor>[number]): readonly string[] => {
  const found: string[] = [];
  const typeOf = (id: string, column: string): string | undefined =>
    id === dataset.id ? dataset.columns.find((one) => one.id === column)?.type : undefined;
  checkItem(item, typeOf, 'item', (at, says) => found.push(`${at} ${says}`));
  return found;
};
const listOr = (given: Json | undefined): readonly Json[] => (given !== undefined && isList(given) ? given : []);
const share = (marks: readonly boolean[]): number => (100 * marks.filter(Boolean).length) / marks.length;

const names = [
  'Order Date',
  'order_date',
  'Revenue',
  'PriceUSD',
  'Größe',
  '客户',
  'id',
  'Name',
  'a',
  'x axis',
  'bar chart',
  'Total',
  '',
  'number of employees',
  'table',
  '__proto__',
  'constructor',
  'toString',
  'Chiffre d’affaires',
  'Year',
];
const aColumn = fc.record({
  name: fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 20, unit: 'grapheme' })),
  type: fc.constantFrom<ChartColumn['type']>('numeric', 'datetime', 'hierarchy', 'spatial'),
  subtype: fc.constantFrom(null, 'currency', 'duration'),
  aggregation: fc.constantFrom('sum', 'average', 'count', 'rate', 'stddev'),
  cardinality: fc.option(fc.nat(), { nil: null }),
  span: fc.option(fc.nat(), { nil: null }),
  description: fc.string({ maxLength: 40 }),
});
const aDataset = fc.array(aColumn, { maxLength: 12 }).map((columns): ChartDataset => ({
  id: idOf(9, 0),
  name: { en: 'Orders' },
  description: {},
  columns: columns.map(({ name, description, ...rest }, position) => ({
    ...rest,
    id: idOf(9, position + 1),
    position,
    name: { en: name, nl: name },
    sourceName: name,
    synonyms: [],
    description: { en: description },
    format: null,
  })),
}));
const words =
  'revenue profit by per each month year top 5 average sum total number of how many as a pie chart table treemap filter on sort desc from high to low where price > 300 "x" and , ? versus over time split grouped stacked scatter Größe 客户 now only instead aantal par pro'.split(
    ' ',
  );
const aQuestion = fc.oneof(
  fc.array(fc.constantFrom(...words, ...names), { maxLength: 14 }).map((list) => list.join(' ')),
  fc.string({ maxLength: 60, unit: 'grapheme' }),
);
const types = ['generate-chart', 'generate-filter', ...dataItemTypes];

describe('the embedded engine', () => {
  it('draws a histogram of a number, and columns where a category or a time is asked for', () => {
    const column = (position: number, name: string, type: ChartColumn['type']): ChartColumn => ({
      id: idOf(8, position + 1),
      position,
      name: { en: name },
      sourceName: name,
      synonyms: [],
      type,
      description: {},
      subtype: null,
      aggregation: 'sum',
      cardinality: null,
      span: null,
      format: null,
    });
    const flights: ChartDataset = {
      id: idOf(8, 0),
      name: { en: 'Flights' },
      description: {},
      columns: [column(0, 'Delay', 'numeric'), column(1, 'Origin', 'hierarchy'), column(2, 'Date', 'datetime')],
    };
    const drawn = (question: string): unknown =>
      itemFor(flights, { requested: 'chart', question, history: [], today: '2024-03-01' })[0]?.['type'];
    expect(drawn('a histogram of delay')).toBe('histogram');
    expect(drawn('show a histogram of the average delay')).toBe('histogram');
    expect(drawn('show me the average delay by origin in a histogram')).toBe('column-chart');
    expect(drawn('a histogram of the number of flights by date')).toBe('column-chart');
  });

  it('draws a map of places, and bars of what has no place', () => {
    const column = (position: number, name: string, type: ChartColumn['type'], subtype = ''): ChartColumn => ({
      id: idOf(7, position + 1),
      position,
      name: { en: name },
      sourceName: name,
      synonyms: [],
      type,
      description: {},
      subtype: subtype || null,
      aggregation: 'sum',
      cardinality: null,
      span: null,
      format: null,
    });
    const orders: ChartDataset = {
      id: idOf(7, 0),
      name: { en: 'Orders' },
      description: {},
      columns: [
        column(0, 'Revenue', 'numeric'),
        column(1, 'Country', 'hierarchy'),
        column(2, 'Channel', 'hierarchy'),
        column(3, 'Location', 'spatial', 'coordinates'),
      ],
    };
    const drawn = (question: string): unknown => {
      const [item] = itemFor(orders, { requested: 'chart', question, history: [], today: '2024-03-01' });
      const slots = listOr(item?.['slots']);
      const labels = slots.flatMap((slot) =>
        listOr(isObject(slot) ? slot['content'] : null).map((one) => (isObject(one) ? one['label'] : null)),
      );
      return [item?.['type'], ...labels];
    };
    expect(drawn('map of revenue by country')).toEqual(['choropleth-map', 'Country', 'Revenue']);
    expect(drawn('show a map of revenue')).toEqual(['choropleth-map', 'Country', 'Revenue']);
    expect(drawn('carte du revenue par country')).toEqual(['choropleth-map', 'Country', 'Revenue']);
    expect(drawn('symbol map of revenue by country and channel')).toEqual([
      'symbol-map',
      'Country',
      'Revenue',
      'Channel',
    ]);
    expect(drawn('bubble map of revenue')).toEqual(['symbol-map', 'Location', 'Revenue']);
    expect(drawn('map of revenue by channel')).toEqual(['bar-chart', 'Channel', 'Revenue']);
    expect(drawn('heat map of revenue by country and channel')).toEqual([
      'heat-table',
      'Country',
      'Channel',
      'Revenue',
    ]);
  });

  it('answers with valid items whatever the metadata and the words are, and always the same', () => {
    fc.assert(
      fc.property(
        aDataset,
        fc.constantFrom(...types),
        fc.option(aQuestion, { nil: null }),
        fc.array(aQuestion, { maxLength: 3 }),
        (dataset, type, question, history) => {
          const asked: Ask = { requested: requestedKindOf(type), question, history, today: '2024-03-01' };
          const items = itemFor(dataset, asked);
          for (const item of items) expect(faults(dataset, item)).toEqual([]);
          expect(JSON.stringify(itemFor(dataset, asked))).toBe(JSON.stringify(items));
          const { requested } = asked;
          if (requested !== 'chart' && requested !== 'filter' && question === null)
            for (const { type: own } of items) expect(own).toBe(requested);
          examples(dataset);
        },
      ),
      { numRuns: counted(1000, 20_000) },
    );
  }, 600_000);

  const datasets = readDatasets();
  const results = readQuestions().map(({ id, dataset: key, asked, question, history, expected }) => {
    const dataset = datasets.get(key);
    if (dataset === undefined) throw new Error(`no dataset ${key}`);
    const items = itemFor(dataset, { requested: requestedKindOf(asked), question, history, today: '2024-03-01' });
    const [first] = items;
    const judged = first === undefined ? { type: false, slots: false, order: false } : judge(expected, first, dataset);
    return {
      id,
      ...judged,
      inThree: items.some((item) => judge(expected, item, dataset).type),
      valid: first !== undefined && faults(dataset, first).length === 0,
    };
  });

  it.each([
    ['tuned on', 1],
    ['kept for checking', 0],
  ] as const)('chooses what an analyst would for the questions %s', (_, half) => {
    const own = results.filter(({ id }) => id % 2 === half);
    expect(own.length).toBeGreaterThanOrEqual(100);
    expect(share(own.map(({ valid }) => valid))).toBe(100);
    expect(share(own.map(({ type }) => type))).toBeGreaterThanOrEqual(90);
    expect(share(own.map(({ inThree }) => inThree))).toBeGreaterThanOrEqual(98);
    expect(share(own.map(({ slots }) => slots))).toBeGreaterThanOrEqual(85);
    expect(share(own.map(({ order }) => order))).toBeGreaterThanOrEqual(95);
  });

  it('can make every type of chart and filter, every slot of it in the answer', () => {
    const orders = datasets.get('orders');
    if (orders === undefined) throw new Error('no orders');
    for (const type of dataItemTypes) {
      const [item] = itemFor(orders, { requested: type, question: null, history: [], today: '2024-03-01' });
      const slots: unknown = item?.['slots'];
      expect([
        type,
        item?.['type'],
        Array.isArray(slots) ? slots.map((slot: { name: string }) => slot.name) : null,
      ]).toEqual([type, type, slotsOf(type).map(({ name }) => name)]);
    }
  });

  it('finds the columns that a question names among 200', () => {
    const columns = Array.from({ length: 200 }, (_, position): ChartColumn => ({
      id: idOf(8, position + 1),
      position,
      name: { en: `${['Revenue', 'Order Date', 'Region', 'Customer Name'][position % 4] ?? ''} ${position}` },
      sourceName: null,
      synonyms: [],
      description: { en: 'A column of the wide table' },

      type: (['numeric', 'datetime', 'hierarchy', 'hierarchy'] as const)[position % 4] ?? 'hierarchy',
      subtype: null,
      format: null,
      aggregation: 'sum',
      cardinality: null,
      span: null,
    }));
    const dataset = { id: idOf(8, 0), name: { en: 'Wide' }, description: {}, columns };
    for (const run of [0, 57, 121, 198]) {
      const [revenue, region] = [run - (run % 4), run - (run % 4) + 2];
      const item = itemFor(dataset, {
        requested: 'chart',
        question: `average revenue ${revenue} by region ${region}, sorted from high to low`,
        history: [],
        today: '2024-03-01',
      });
      const named = JSON.stringify(item);
      expect(columns.filter(({ id }) => named.includes(id)).map(({ position }) => position)).toEqual([revenue, region]);
    }
  });
});
