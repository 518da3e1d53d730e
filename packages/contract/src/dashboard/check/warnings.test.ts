import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { unknownWord } from '../../wording/faults.ts';
import { contentsWarnings } from './warnings.ts';
import { startWorkClock } from '../../../../../test/support/work-clock.ts';

const bar: JsonObject = {
  type: 'bar-chart',
  slots: [{ name: 'y-axis', content: [{ datasetId: 'd', columnId: 'c' }] }],
};
const column: JsonObject = { datasetId: 'd', columnId: 'c' };
const place = (col: number, row: number, sizeX = 8, sizeY = 8): JsonObject => ({ col, row, sizeX, sizeY });

function warningsOf(items: readonly JsonObject[], options: JsonObject = {}): readonly (readonly [string, string])[] {
  const named = items.map((item, index) => ({ id: `i${index}`, position: place(0, index * 8), ...bar, ...item }));
  const contents = { version: '0.1.99', views: [{ screenModus: 'desktop', options, items: named }] };
  return contentsWarnings(contents, 'c', (word) => `"${word}" is not known`).map(({ path, message }) => [
    path.replace('c.views[0].', ''),
    message,
  ]);
}
const entry = (content: JsonObject): JsonObject => ({ slots: [{ name: 'y-axis', content: [content] }] });
const content = 'items[0].slots[0].content[0]';

describe('what is probably wrong in contents', () => {
  it('is no link by a label in any language, by the id of a column, or by a label that the column has', () => {
    const named = { ...column, label: { en: 'Region', fr: 'Région' } };
    for (const href of ['/{Région}', 'https://shop.example/{Region}?c={c}'])
      expect(warningsOf([entry({ ...named, link: { href } })])).toEqual([]);
    expect(warningsOf([entry({ ...column, link: { href: '/{Anything}' } })])).toEqual([]);
    expect(warningsOf([{ options: { link: { dashboardSlug: 'orders' }, exports: [], menu: false } }])).toEqual([]);
  });

  it('is `others` where nothing can tell what the members beyond the limit come to, and not elsewhere', () => {
    const measured = (measure: JsonObject, ...members: readonly JsonObject[]): readonly JsonObject[] => [
      {
        slots: [
          { name: 'y-axis', content: [...members] },
          { name: 'measure', content: [measure] },
        ],
        options: { limit: 3, others: true },
      },
    ];
    const amount = { ...column, type: 'numeric' };
    const formula = { formula: 'sum({c}) / count(*)', datasetId: 'd' };
    const average = { ...amount, aggregationFunc: 'average' };
    const time = { ...column, type: 'datetime' };
    const unknown = [['items[0].options.others', expect.stringContaining('has no effect')]];
    for (const measure of [average, formula, { ...amount, aggregationFunc: 'distinctcount' }])
      expect(warningsOf(measured(measure, column))).toEqual([]);
    expect(warningsOf(measured(average, { ...time, level: 3 }))).toEqual([]);
    for (const members of [
      [column, column],
      [{ ...amount, bins: { enabled: true, number: 5 } }],
      [{ ...time, datetimeDisplayMode: 'weekday_name' }],
    ])
      expect(warningsOf(measured(average, ...members)).filter(([at]) => at?.endsWith('.others'))).toEqual(unknown);
    expect(warningsOf(measured({ ...amount, aggregationFunc: 'cumulativesum' }, column))).toEqual(unknown);
    for (const aggregationFunc of ['sum', 'count'])
      expect(
        warningsOf(measured({ ...amount, aggregationFunc }, { ...time, datetimeDisplayMode: 'weekday_name' })),
      ).toEqual([]);
  });

  it.each<[string, readonly JsonObject[], string, RegExp]>([
    ['an entry with a label alone', [entry({ label: 'Region' })], content, /no column and no formula/u],
    ['a column without a dataset', [entry({ columnId: 'c' })], `${content}.datasetId`, /is required beside columnId/u],
    ['a sort by no slot', [{ options: { sort: { by: 'mesure' } } }], 'items[0].options.sort.by', /not known/u],
    [
      'a sort by an empty slot',
      [{ options: { sort: { by: 'legend' } } }],
      'items[0].options.sort.by',
      /"legend" is empty/u,
    ],
    ['an id that is there twice', [{ id: 'a' }, { id: 'a' }], 'items[1].id', /is the id of items\[0\] too/u],
    [
      'an item beyond the grid',
      [{ position: place(44, 0) }],
      'items[0].position',
      /reaches to column 52 of a grid of 48/u,
    ],
    [
      'a negative place',
      [{ position: place(0, -1) }],
      'items[0].position.row',
      /is -1; it must be a whole number from 0/u,
    ],
    ['a place between columns', [{ position: place(1.5, 0) }], 'items[0].position.col', /is rounded/u],
    ['an item of no width', [{ position: place(0, 0, 0) }], 'items[0].position.sizeX', /whole number from 1/u],
    [
      'an item on another',
      [{ position: place(0, 0) }, { position: place(20, 0) }, { position: place(4, 7) }],
      'items[2].position',
      /lies on items\[0\] \("i0"\); one hides/u,
    ],
    ['a language that is none', [{ title: { english: 'Sales' } }], 'items[0].title.english', /is not a language code/u],
    [
      'a link by a script',
      [{ options: { link: { href: 'javascript:alert(1)' } } }],
      'items[0].options.link.href',
      /leads nowhere: it must begin with https/u,
    ],
    [
      'a link whose host is a value',
      [entry({ ...column, label: 'Region', link: { href: 'https://{Region}/' } })],
      `${content}.link.href`,
      /leads nowhere/u,
    ],
    [
      'a link by what no entry is called',
      [entry({ ...column, label: { en: 'Region', fr: 'Région' }, link: { href: '/{Regoin}' } })],
      `${content}.link.href`,
      /"Regoin" is not known/u,
    ],
    [
      'a link to nothing',
      [{ options: { link: { target: '_self' } } }],
      'items[0].options.link',
      /leads nowhere; give/u,
    ],
    ['a file of no format', [{ options: { exports: ['csv', 'doc'] } }], 'items[0].options.exports[1]', /"doc" is not/u],
    [
      'an action without a name',
      [{ options: { actions: [{ id: 'a' }] } }],
      'items[0].options.actions[0].label',
      /required/u,
    ],
    ['no limit', [{ options: { limit: 0 } }], 'items[0].options.limit', /whole number from 1/u],
    ['a negative limit', [{ options: { limit: -1 } }], 'items[0].options.limit', /whole number from 1/u],
    ['half a row', [{ options: { limit: 2.5 } }], 'items[0].options.limit', /whole number from 1/u],
    [
      'a sort of another shape',
      [{ options: { sort: 'desc' } }],
      'items[0].options.sort',
      /an object \{by, index, order, /u,
    ],
    ['a place that is missing', [{}, { position: null }], 'items[1].position', /is missing, so the item stands/u],
    [
      'a second measure beside a legend',
      [{ slots: ['measure', 'legend'].map((name) => ({ name, content: [column, column].slice(0, name.length - 5) })) }],
      'items[0].slots[0].content[1]',
      /beside a legend only the first measure/u,
    ],
    ['a language without a text', [{ title: { en: 'Sales', nl: 5 } }], 'items[0].title.nl', /must be a text/u],
  ])('is %s', (_name, items, path, says) => {
    expect(warningsOf(items)).toEqual([[path, expect.stringMatching(says)]]);
  });

  it.each<[string, readonly JsonObject[], JsonObject]>([
    ['formulas without datasets', [entry({ formula: 'count(*)' }), entry({ formulaId: 'f' })], {}],
    ['a sort by the number of rows', [{ options: { sort: { by: 'measure', order: 'desc' } } }], {}],
    [
      'items side by side and below each other',
      [{ position: place(0, 0) }, { position: place(8, 0) }, { position: place(0, 8, 16) }],
      {},
    ],
    ['a wider grid', [{ position: place(80, 0) }], { columns: 96 }],
    ['texts in several languages', [{ title: { en: 'Sales', nl: null } }], {}],
  ])('is not %s', (_name, items, options) => {
    expect(warningsOf(items, options)).toEqual([]);
  });

  it('tells an unknown option the options of its type', () => {
    const known = (type: string): readonly string[] =>
      contentsWarnings(
        {
          views: [{ screenModus: 'desktop', items: [{ id: 'a', slots: [], type, options: { nonsense: 1 } }] }],
        },
        'c',
        (word, names) => (word === 'nonsense' ? names.join() : ''),
      ).flatMap(({ path, message }) => (path.endsWith('.nonsense') ? message.split(',') : []));
    expect(known('evolution-number')).toEqual([
      'title',
      'description',
      'filterNote',
      'sort',
      'limit',
      'colors',
      'rules',
      'comparison',
      'menu',
      'exports',
      'actions',
    ]);
    expect(known('bar-chart')).toEqual(
      expect.arrayContaining(['sort', 'limit', 'others', 'stacked', 'percent', 'oneColor', 'axis', 'references']),
    );
  });

  it('is a group of filters for an item that is not there, and filters outside of views', () => {
    const told = (more: JsonObject, groups: readonly JsonObject[] = []): readonly string[] => {
      const items = [{ ...bar, id: 'months' }];
      const contents = { views: [{ screenModus: 'desktop', filterGroups: [...groups], items }], ...more };
      return contentsWarnings(contents, 'c', unknownWord).map(({ path, message }) => `${path} ${message}`);
    };
    expect(told({}, [{ origin: 'itemFilter', itemId: 'month', filters: [] }])).toEqual([
      'c.views[0].filterGroups[0].itemId is not known; did you mean "months"?; the group narrows nothing',
    ]);
    expect(told({}, [{ origin: 'itemFilter', filters: [] }])).toEqual([
      'c.views[0].filterGroups[0].itemId is required beside "itemFilter"; without it every item is narrowed',
    ]);
    expect(told({ filters: {} }, [{ origin: 'itemFilter', itemId: 'months' }, { itemId: 'x' }])).toEqual([]);
    expect(told({ filters: [{}] })).toEqual(['c.filters has no effect: filters stand in filterGroups of a view']);
  });

  it('is found in thousands of items that all lie on each other', () => {
    const items = Array.from({ length: 5000 }, (): JsonObject => ({ position: place(0, 0, 48, 500) }));
    const clock = startWorkClock();
    expect(warningsOf(items)).toHaveLength(1000);
    expect(clock.passedMs()).toBeLessThan(2000);
  });
});

describe('what is probably wrong in tabs', () => {
  const at = 'items[0].options.tabs';
  const tab = (id: string, ...items: readonly string[]): JsonObject => ({ id, title: id, items });
  const withTabs = (tabs: readonly JsonObject[], ...others: readonly JsonObject[]): readonly JsonObject[] => [
    { type: 'tabs', slots: [], options: { tabs } },
    ...others,
  ];
  const same = { position: place(0, 8) };

  it('is nothing where items of different tabs have the same place', () => {
    expect(warningsOf(withTabs([tab('a', 'i1'), tab('b', 'i2')], same, same))).toEqual([]);
  });

  it.each<[string, readonly JsonObject[], string, string]>([
    ['no tabs', withTabs([]), at, 'has no tabs'],
    ['an unknown item', withTabs([tab('a', 'i9')]), `${at}[0].items[0]`, '"i9" is not known'],
    ['an item in two tabs', withTabs([tab('a', 'i1'), tab('b', 'i1')], {}), `${at}[1].items[0]`, 'is in another tab'],
    ['itself', withTabs([tab('a', 'i0')]), `${at}[0].items[0]`, 'is the item of the tabs itself'],
    ['two tabs of one id', withTabs([tab('a'), tab('a')]), `${at}[1].id`, 'is the id of another tab'],
    ['items of one tab on each other', withTabs([tab('a', 'i1', 'i2')], same, same), 'items[2].position', 'lies on'],
    [
      'an item of a tab on one of none',
      withTabs([tab('a'), tab('b', 'i1')], same, same),
      'items[2].position',
      'lies on',
    ],
  ])('is %s', (_, items, path, message) => {
    expect(warningsOf(items)).toEqual([[path, expect.stringContaining(message)]]);
  });
});

describe('what is probably wrong in controls of parameters', () => {
  const name = 'metadata.region';
  const at = 'contents.views[0].items[0].options';
  const value = (type: string): JsonObject => ({ parameter: name, type, value: null });
  const filter = (type: string): JsonObject => ({
    expression: '? in ?',
    parameters: [{ column_id: 'c' }, value(type)],
  });
  const told = (options: JsonObject, type = 'array[hierarchy]', filters = [filter(type)], parameters = [value(type)]) =>
    contentsWarnings(
      {
        parameters,
        views: [
          {
            screenModus: 'desktop',
            filterGroups: [{ subGroups: [{ filters }] }],
            items: [{ id: 'a', type: 'parameter-control', options }],
          },
        ],
      },
      'contents',
      (word) => `"${word}" is not known`,
    ).map(({ path, code }) => [path, code]);

  it('is nothing where a filter names it and contents declare it, and it needs no slots', () => {
    const choices = ['Asia', { value: 'Africa', label: { fr: 'Afrique' } }];
    expect(told({ parameter: name, choices, style: 'buttons' })).toEqual([]);
    expect(told({ parameter: 'region', choices })).toEqual([]);
    expect(told({ parameter: name, choices: [1, { value: 2.5 }] }, 'array[numeric]')).toEqual([]);
    expect(told({ parameter: name, choices: ['2025-03-01'] }, 'datetime')).toEqual([]);
  });

  it('is one without a parameter, that no filter names, or that contents do not declare', () => {
    expect(told({})).toEqual([[`${at}.parameter`, 'missing']]);
    expect(told({ parameter: name }, '', [])).toEqual([[`${at}.parameter`, 'no_effect']]);
    expect(told({ parameter: name }, '', undefined, [])).toEqual([[`${at}.parameter`, 'unknown_value']]);
  });

  it('is choices that offer nothing, or more than are offered', () => {
    expect(told({ parameter: name, choices: [] })).toEqual([[`${at}.choices`, 'no_effect']]);
    for (const choices of ['Asia', {}])
      expect(told({ parameter: name, choices })).toEqual([[`${at}.choices`, 'wrong_type']]);
    const many = Array.from({ length: 1001 }, (_, index) => `r${index}`);
    expect(told({ parameter: name, choices: many })).toEqual([[`${at}.choices`, 'no_effect']]);
    expect(told({ parameter: name, choices: many.slice(1) })).toEqual([]);
    expect(told({ parameter: name, choices: null })).toEqual([]);
  });

  it('is a choice of another type', () => {
    const choices = ['one', { value: '2' }, { label: 'three' }, 4];
    expect(told({ parameter: name, choices }, 'array[numeric]')).toEqual([
      [`${at}.choices[0]`, 'wrong_type'],
      [`${at}.choices[1].value`, 'wrong_type'],
      [`${at}.choices[2].value`, 'missing'],
    ]);
    expect(told({ parameter: name, choices: ['soon', ['2025-03-01']] }, 'datetime')).toEqual([
      [`${at}.choices[0]`, 'wrong_type'],
      [`${at}.choices[1]`, 'wrong_type'],
    ]);
  });
});
