import { expect, test } from 'vitest';
import { itemQuery, memberRows, othersOf, readItem, type ItemQuery, type Json, type JsonObject } from '../index.ts';

const column = (columnId: string, type: string, more: JsonObject = {}): JsonObject => ({
  datasetId: 'd',
  columnId,
  type,
  ...more,
});
const country = column('country', 'hierarchy');
const status = column('status', 'hierarchy');
const asked = (type: string, slots: JsonObject, options: JsonObject): ItemQuery => {
  const named = Object.entries(slots).map(([name, entry]): Json => ({ name, content: [entry ?? null] }));
  const item = readItem({ id: 'i', type, options, slots: named });
  const query = item === null ? null : itemQuery(item);
  if (query === null) throw new Error('no query');
  return query;
};
const bars = (options: JsonObject, aggregationFunc = 'sum'): ItemQuery =>
  asked(
    'bar-chart',
    { 'y-axis': country, legend: status, measure: column('mrr', 'numeric', { aggregationFunc }) },
    options,
  );
const largest = { sort: { by: 'measure', order: 'desc' }, limit: 2 };

/**
 * The largest single cell belongs to a country that ranks third in total; the country with the largest total has no
 * large cell.
 */
const rows = [
  ['FR', 'open', 9],
  ['DE', 'open', '6.5'],
  ['DE', 'won', 6],
  ['BE', 'open', 5],
  ['BE', 'won', 5],
  ['BE', 'lost', 5],
  ['NL', 'open', null],
];

test('members of a category are shown by their totals and whole, however a legend splits them', () => {
  const query = bars(largest);
  expect(query.query['limit']).toEqual({ by: 10_000, offset: 0 });
  expect(memberRows(query, rows)).toEqual([
    ['BE', 'open', 5],
    ['BE', 'won', 5],
    ['BE', 'lost', 5],
    ['DE', 'open', '6.5'],
    ['DE', 'won', 6],
  ]);
  const order = (options: JsonObject, by?: string): readonly Json[] => [
    ...new Set(memberRows(bars(options, by), rows).map(([name = null]) => name)),
  ];
  expect(order({ sort: { by: 'measure', order: 'asc' } })).toEqual(['FR', 'DE', 'BE', 'NL']);
  expect(order({ sort: { by: 'measure', order: 'desc' } })).toEqual(['BE', 'DE', 'FR', 'NL']);
  expect(order({ sort: { by: 'measure', order: 'desc' } }, 'max')).toEqual(['FR', 'DE', 'BE', 'NL']);
  expect(order({ sort: { by: 'measure', order: 'desc' } }, 'average')).toEqual(['FR', 'DE', 'BE', 'NL']);
  expect(order({ sort: { by: 'y-axis', order: 'asc' }, limit: 1 })).toEqual(['FR']);
  expect(order({ limit: 3 })).toEqual(['BE', 'DE', 'FR']);
});

test('rows of a pivot table are counted as members, those of items without a legend are the members', () => {
  const pivot = asked('pivot-table', { row: country, column: status, measure: column('mrr', 'numeric') }, largest);
  expect(new Set(memberRows(pivot, rows).map(([name]) => name))).toEqual(new Set(['BE', 'DE']));
  const plain = asked('bar-chart', { 'y-axis': country, measure: column('mrr', 'numeric') }, largest);
  expect([plain.members, plain.query['limit']]).toEqual([null, { by: 2, offset: 0 }]);
  expect(bars({}).members).toEqual({ by: 2, order: 'desc', limit: null, others: false });
});

test('members beyond the limit are shown as one where their measures add up, however often their rows are cut', () => {
  const query = bars({ limit: 2, others: true });
  const shown = memberRows(query, rows);
  expect(shown.at(-1)).toEqual([{ id: null, others: 2 }, 'open', 9]);
  expect(othersOf(shown.at(-1)?.[0])).toBe(2);
  expect(memberRows(query, shown)).toEqual(shown);
  const averages = bars({ limit: 2, others: true }, 'average');
  expect([averages.members, averages.query['limit']]).toEqual([null, { by: 2, offset: 0, others: true }]);
  const plain = asked(
    'bar-chart',
    { 'y-axis': country, measure: column('mrr', 'numeric') },
    { limit: 1, others: true },
  );
  expect(plain.query['limit']).toEqual({ by: 10_000, offset: 0 });
  const totals = [
    ['BE', 15],
    ['DE', 12.5],
    ['NL', null],
    ['FR', 9],
  ];
  expect(memberRows(plain, totals)).toEqual([
    ['BE', 15],
    [{ id: null, others: 3 }, 21.5],
  ]);
});

test('members of a table are those of the largest values in the column that its sort names, whichever entries stand before it', () => {
  const columns = [
    column('country', 'hierarchy'),
    column('mrr', 'numeric', { aggregationFunc: 'sum' }),
    column('id', 'numeric', { aggregationFunc: 'count' }),
  ];
  const table = (index: number): readonly Json[] => {
    const options = { sort: { by: 'columns', index, order: 'desc' }, limit: 2, others: true };
    const item = readItem({ id: 'i', type: 'regular-table', options, slots: [{ name: 'columns', content: columns }] });
    const query = item === null ? null : itemQuery(item);
    if (query === null) throw new Error('no query');
    const totals = [
      ['D', 1_000_050, 2],
      ['B', 299, 3],
      ['E', 7, 1],
      ['C', 0, 3],
      ['A', -100, 4],
    ];
    return memberRows(query, totals).map(([name = null]) => name);
  };
  const others = { id: null, others: 3 };
  expect(table(1)).toEqual(['D', 'B', others]);
  expect(table(2)).toEqual(['A', 'B', others]);
});

test('members of the legend beyond `seriesLimit` are one series, so that totals agree', () => {
  const query = bars({ seriesLimit: 2 });
  expect(query.query['limit']).toEqual({ by: 10_000, offset: 0 });
  const shown = memberRows(query, rows);
  expect(shown).toEqual([
    ['BE', 'open', 5],
    ['BE', { id: null, others: 2 }, 10],
    ['DE', 'open', '6.5'],
    ['DE', { id: null, others: 2 }, 6],
    ['FR', 'open', 9],
    ['NL', 'open', null],
  ]);
  expect(memberRows(query, shown)).toEqual(shown);
  expect(memberRows(bars({ seriesLimit: 3 }), rows)).toEqual(memberRows(bars({}), rows));
  // Averages of several members are not known from the averages of each.
  expect(memberRows(bars({ seriesLimit: 2 }, 'average'), rows)).toEqual(memberRows(bars({}, 'average'), rows));
});
