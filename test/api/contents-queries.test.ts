import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { isObject, listOr, type Json, type JsonObject } from '@inlay/contract';
import { contentsOf, inSlot, item, slot, type SalesDataset } from '../browser/sales.ts';
import { useApi } from '../support/api.ts';
import { pushSales } from '../support/sales-world.ts';
import { storesToTest } from '../support/service.ts';
import { startWorkClock } from '../support/work-clock.ts';

const view = 'properties.contents.views[0]';

describe.each(storesToTest)('what a query would refuse in contents on %s', (store) => {
  const api = useApi(store);
  let dataset: SalesDataset;
  let other: SalesDataset;

  beforeAll(async () => {
    [dataset, other] = [await pushSales(api), await pushSales(api)];
  });

  const warningsOf = async (contents: JsonObject): Promise<readonly JsonObject[]> =>
    listOr((await api.create('dashboard', { contents }))['warnings']).filter(isObject);
  const chart = (): JsonObject =>
    item(
      'Regions',
      'column-chart',
      [slot('x-axis', inSlot(dataset, 'region')), slot('measure', inSlot(dataset, 'revenue'))],
      [0, 0, 8, 8],
    );

  const on = (name: keyof SalesDataset['columns'], more: JsonObject = {}): JsonObject => ({
    datasetId: dataset.id,
    columnId: dataset.columns[name],
    ...more,
  });
  const filtered = (parameters: readonly Json[], expression: string, more: JsonObject = {}): JsonObject =>
    contentsOf(dataset, [chart()], {
      views: [
        {
          screenModus: 'desktop',
          items: [chart()],
          filterGroups: [
            { condition: 'and', filters: [{ expression, parameters, ...more }], subGroups: [] },
            { condition: 'or', subGroups: [{ filters: [{ expression, parameters, ...more }] }] },
          ],
        },
      ],
    });

  const sound: readonly (readonly [string, () => readonly Json[], string])[] = [
    ['a day', () => [on('day'), '2024-02-29'], '? = ?'],
    ['days', () => [on('day'), ['2024-01-01', '2024-02-01']], '? between ?'],
    ['a relative date', () => [on('day'), { unit: 'month', quantity: 3 }], '? last_available ?'],
    ['a number', () => [on('revenue'), 5], '? > ?'],
    ['a number as text', () => [on('revenue'), '5.5'], '? > ?'],
    ['nothing', () => [on('region')], '? is null'],
    ['a parameter without a value', () => [on('day'), { parameter: 'metadata.day', type: 'datetime' }], '? = ?'],
    [
      'the spelling of queries',
      () => [{ dataset_id: dataset.id, column_id: dataset.columns.region }, ['Asia']],
      '? in ?',
    ],
  ];
  it.each(sound)('is not %s in a filter', async (_name, parameters, expression) => {
    expect(await warningsOf(filtered(parameters(), expression))).toEqual([]);
  });

  const faulty: readonly (readonly [string, () => readonly Json[], string, string, RegExp])[] = [
    ['a word for a time', () => [on('day'), 'banana'], '? = ?', '.parameters[1]', /ISO 8601 time/u],
    ['a number for a time', () => [on('day'), 2025], '? = ?', '.parameters[1]', /ISO 8601 time/u],
    ['a year for a time', () => [on('day'), '2025'], '? = ?', '.parameters[1]', /such as 2024-03-01; .*show an error/u],
    ['one value between', () => [on('revenue'), 5], '? between ?', '.parameters[1]', /list of two values/u],
    [
      'a relative date of no unit',
      () => [on('day'), { unit: 'fortnight' }],
      '? last_now ?',
      '.parameters[1].unit',
      /one of: year/u,
    ],
    ['a relative date that is a text', () => [on('day'), 'last month'], '? last_now ?', '.parameters[1]', /an object/u],
    ['a text for a number', () => [on('revenue'), 'many'], '? > ?', '.parameters[1]', /must be a number/u],
    [
      'a default that is none',
      () => [on('revenue'), { parameter: 'p', type: 'numeric', value: 'many' }],
      '? > ?',
      '.parameters[1]',
      /must be a number/u,
    ],
    ['no value', () => [on('region')], '? = ?', '.parameters[1]', /is required/u],
    ['values side by side', () => [on('region'), 'Asia', 'Africa'], '? in ?', '.parameters', /has 3 parameters/u],
    [
      'a column of another dataset',
      () => [on('region', { columnId: other.columns.region }), 'Asia'],
      '? = ?',
      '.parameters[0].columnId',
      /is a column of dataset .*, not of/u,
    ],
    [
      'a column by its name',
      () => [on('region', { columnId: 'Region' }), 'Asia'],
      '? = ?',
      '.parameters[0].columnId',
      /the id of a column; that of "Region" is/u,
    ],
    [
      'a column that is not there',
      () => [on('region', { columnId: randomUUID() }), 'Asia'],
      '? = ?',
      '.parameters[0].columnId',
      /There is no column .* it has "day"/u,
    ],
    [
      'a dataset that is not there',
      () => [on('region', { datasetId: randomUUID() }), 'Asia'],
      '? = ?',
      '.parameters[0].datasetId',
      /There is no dataset/u,
    ],
    ['no column', () => ['region', 'Asia'], '? = ?', '', /names no column and dataset/u],
    ['an unknown test', () => [on('region'), 'Asia'], '? equals ?', '.expression', /known/u],
    [
      'an ending of a number',
      () => [on('revenue'), '5'],
      '? ends with ?',
      '.parameters[1]',
      /can only be used on texts/u,
    ],
  ];
  it.each(faulty)('is %s in a filter', async (_name, parameters, expression, at, says) => {
    const found = await warningsOf(filtered(parameters(), expression));
    expect(found).toEqual(
      ['filterGroups[0]', 'filterGroups[1].subGroups[0]'].map((group) => ({
        path: `${view}.${group}.filters[0]${at}`,
        code: expect.any(String),
        message: expect.stringMatching(says),
      })),
    );
  });

  it('is told of filters on groups too', async () => {
    const having = { properties: { type: 'having' } };
    expect(await warningsOf(filtered([on('revenue'), 5], '? > ?', having))).toEqual([]);
    expect(await warningsOf(filtered([on('revenue'), 'many'], '? > ?', having))).toHaveLength(2);
  });

  const formulas: readonly (readonly [string, () => string, RegExp | null])[] = [
    ['a sum', () => `sum({${dataset.columns.revenue}}) / count(*)`, null],
    ['another column', () => `sum({${randomUUID()}})`, /there is no column/u],
    ['a name', () => 'sum({Revenue})', /by their names instead of their ids: write \{[\da-f-]{36}\} for \{Revenue\}/u],
    ['no aggregation', () => `{${dataset.columns.revenue}} * 2`, /aggregates: sum\(\{id\}\)/u],
    ['half of a call', () => `sum({${dataset.columns.revenue}}`, /character/u],
    ['the sum of texts', () => `sum({${dataset.columns.region}})`, /a number is expected/u],
  ];
  it.each(formulas)('is told of a formula with %s', async (_name, formula, says) => {
    const entry = { datasetId: dataset.id, formula: formula() };
    const found = await warningsOf(
      contentsOf(dataset, [item('F', 'bar-chart', [slot('measure', entry)], [0, 0, 8, 8])]),
    );
    const path = `${view}.items[0].slots[0].content[0].formula`;
    expect(found).toEqual(
      says === null ? [] : [{ path, code: expect.any(String), message: expect.stringMatching(says) }],
    );
  });

  const entries: readonly (readonly [string, string, string, () => JsonObject, string, RegExp])[] = [
    [
      'the sum of texts',
      'bar-chart',
      'measure',
      () => on('region', { aggregationFunc: 'sum' }),
      '.aggregationFunc',
      /must be count or distinctcount/u,
    ],
    [
      'the average of times',
      'bar-chart',
      'measure',
      () => on('day', { aggregationFunc: 'average' }),
      '.aggregationFunc',
      /count or distinctcount or min or max/u,
    ],
    ['every number alone', 'bar-chart', 'y-axis', () => on('revenue'), '', /cut it into `bins`/u],
    ['a text for a time', 'evolution-number', 'evolution', () => on('region'), '', /takes times alone/u],
    [
      'a level of a number',
      'bar-chart',
      'measure',
      () => on('revenue', { level: 2 }),
      '.level',
      /numeric have no levels/u,
    ],
    ['a level of a text', 'bar-chart', 'y-axis', () => on('region', { level: 2 }), '.level', /has one level/u],
    ['a level of no time', 'bar-chart', 'y-axis', () => on('day', { level: 12 }), '.level', /1 \(year\) to 9/u],
    [
      'a level between levels',
      'bar-chart',
      'y-axis',
      () => on('day', { level: 1.5 }),
      '.level',
      /whole numbers from 1/u,
    ],
    [
      'bins of texts',
      'bar-chart',
      'y-axis',
      () => on('region', { bins: { enabled: true, number: 5 } }),
      '.bins',
      /only numbers/u,
    ],
    [
      'a column of another dataset',
      'bar-chart',
      'y-axis',
      () => on('region', { columnId: other.columns.region }),
      '.columnId',
      /is a column of dataset/u,
    ],
    [
      'a formula to group by',
      'bar-chart',
      'y-axis',
      () => ({ datasetId: dataset.id, formula: 'count(*)' }),
      '',
      /takes columns/u,
    ],
  ];
  it.each(entries)('is %s in a slot', async (_name, type, name, entry, at, says) => {
    const number = type === 'evolution-number' ? [slot('measure', on('revenue'))] : [];
    const contents = contentsOf(dataset, [item('E', type, [slot(name, entry()), ...number], [0, 0, 8, 8])]);
    expect(await warningsOf(contents)).toEqual([
      {
        path: `${view}.items[0].slots[0].content[0]${at}`,
        code: expect.any(String),
        message: expect.stringMatching(says),
      },
    ]);
  });

  it.each<[string, string, string, () => JsonObject]>([
    ['the number of texts', 'bar-chart', 'measure', () => on('region')],
    ['the latest time', 'bar-chart', 'measure', () => on('day', { aggregationFunc: 'max' })],
    ['numbers in bins', 'bar-chart', 'y-axis', () => on('revenue', { bins: { enabled: true, number: 5 } })],
    ['numbers in a table', 'regular-table', 'columns', () => on('revenue')],
    ['months', 'bar-chart', 'y-axis', () => on('day', { level: 3 })],
    ['a range of times', 'slider-filter', 'slidermetric', () => on('day')],
  ])('is not %s in a slot', async (_name, type, name, entry) => {
    expect(await warningsOf(contentsOf(dataset, [item('E', type, [slot(name, entry())], [0, 0, 8, 8])]))).toEqual([]);
  });

  it('is a theme that is neither built in nor visible', async () => {
    const theme = (await api.create('theme', { theme: { type: 'custom', background: '#fff' } })).id;
    const stranger = await api.stranger();
    const foreign = (await api.create('theme', { theme: { type: 'custom' } }, stranger.login)).id;
    const shown = (id: string, more: JsonObject = {}): JsonObject => ({
      ...contentsOf(dataset, []),
      views: [{ screenModus: 'desktop', options: { theme: { id, ...more } } }],
    });
    for (const contents of [shown(theme), shown('default_dark'), shown('mine', { background: '#fff' })])
      expect(await warningsOf(contents)).toEqual([]);
    const cases: readonly (readonly [string, RegExp])[] = [
      [foreign, /There is no theme .*, or you may not see it; built in are: default, default_dark/u],
      ['defualt_dark', /did you mean "default_dark"/u],
    ];
    for (const [id, says] of cases)
      expect(await warningsOf(shown(id))).toEqual([
        { path: `${view}.options.theme.id`, code: 'reference_unknown', message: expect.stringMatching(says) },
      ]);
    await api.remove('theme', theme);
    expect(await warningsOf(shown(theme))).toHaveLength(1);
  });

  it('is a formula of which nothing says the dataset', async () => {
    const entry = { formula: 'count(*)' };
    const contents = contentsOf(dataset, [item('F', 'evolution-number', [slot('measure', entry)], [0, 0, 8, 8])]);
    expect(await warningsOf(contents)).toEqual([
      {
        path: `${view}.items[0].slots[0].content[0].datasetId`,
        code: 'missing',
        message: expect.stringContaining('nothing says of which dataset'),
      },
    ]);
  });

  it('is found in a thousand items as soon as in one', async () => {
    const items = Array.from({ length: 1500 }, (_, index) => ({
      ...chart(),
      id: `${index}`,
      position: { col: 0, row: index * 8, sizeX: 8, sizeY: 8 },
    }));
    const clock = startWorkClock();
    expect(await warningsOf(contentsOf(dataset, items))).toEqual([]);
    expect(clock.passedMs()).toBeLessThan(5000);
  });

  it('does not take long where filters have as many values as contents hold', async () => {
    const days = Array.from({ length: 50_000 }, (_, index) => new Date(index * 86_400_000).toISOString().slice(0, 10));
    const clock = startWorkClock();
    expect(await warningsOf(filtered([on('day'), days], '? in ?'))).toEqual([]);
    expect(clock.passedMs()).toBeLessThan(5000);
  });
});
