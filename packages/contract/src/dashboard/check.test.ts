import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { unknownWord } from '../wording/faults.ts';
import { contentsWarnings } from './check.ts';

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
    ['no limit', [{ options: { limit: 0 } }], 'items[0].options.limit', /whole number from 1/u],
    ['a negative limit', [{ options: { limit: -1 } }], 'items[0].options.limit', /whole number from 1/u],
    ['half a row', [{ options: { limit: 2.5 } }], 'items[0].options.limit', /whole number from 1/u],
    ['a sort of another shape', [{ options: { sort: 'desc' } }], 'items[0].options.sort', /an object \{by, order\}/u],
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
          views: [{ screenModus: 'desktop', items: [{ ...{ id: 'a', slots: [] }, type, options: { comparison: 1 } }] }],
        },
        'c',
        (word, names) => (word === 'comparison' ? names.join() : ''),
      ).flatMap(({ path, message }) => (path.endsWith('.comparison') ? message.split(',') : []));
    expect(known('evolution-number')).toEqual(['title', 'sort', 'limit']);
    expect(known('bar-chart')).toEqual(['title', 'sort', 'limit', 'stacked', 'oneColor']);
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
    const started = performance.now();
    expect(warningsOf(items)).toHaveLength(1000);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
