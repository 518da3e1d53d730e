import { itemQuery, readItem, type Json } from '@inlay/contract';
import { contrast, parseColor, resolveTheme } from '@inlay/contract/theme';
import { builtInThemes } from '@inlay/contract/built-in-themes';
import { describe, expect, it } from 'vitest';
import { createFormats } from '../../locale/format.ts';
import { wordsFor } from '../../locale/words.ts';
import type { SizedContext } from '../frame/chart.ts';
import { createFrame } from '../frame/frame.ts';
import { createMemberColors } from '../frame/member-colors.ts';
import type { Table, TableRow } from '../frame/table.ts';
import { chart as pivotTable } from '../pivot-table.ts';
import { chart as regularTable } from '../regular-table.ts';
import { columnWidths } from './widths.ts';

const lookIn = (theme: Json): SizedContext => ({
  theme: resolveTheme([theme], builtInThemes),
  formats: createFormats('en', 'UTC'),
  words: wordsFor('en'),
  colors: createMemberColors(8),
  nowMs: 0,
  widthPx: 600,
  heightPx: 300,
  patterns: false,
  reducedMotion: true,
  rightToLeft: false,
});
const context = lookIn('default');

const text = (columnId: string): Json => ({ columnId, datasetId: 'd', type: 'hierarchy', label: columnId });
const number = (columnId: string, aggregationFunc = 'sum'): Json => ({
  columnId,
  datasetId: 'd',
  type: 'numeric',
  label: columnId,
  format: '.0f',
  aggregationFunc,
});
const month: Json = { columnId: 'at', datasetId: 'd', type: 'datetime', level: 3, label: 'at' };

function tableOf(
  type: 'regular-table' | 'pivot-table',
  slots: Readonly<Record<string, readonly Json[]>>,
  rows: readonly (readonly Json[])[],
  options: Json = {},
  more: { readonly truncated?: boolean; readonly context?: SizedContext } = {},
): Table {
  const slotList = Object.entries(slots).map(([name, content]) => ({ name, content: [...content] }));
  const item = readItem({ id: 'i', type, options, slots: slotList });
  const query = item === null ? null : itemQuery(item);
  if (item === null || query === null) throw new Error('no item');
  const seen = more.context ?? context;
  const frame = createFrame(item, query, rows, { ...seen, truncated: more.truncated ?? false });
  return (type === 'regular-table' ? regularTable : pivotTable).table(frame, seen);
}

const texts = (row: TableRow | null): readonly string[] => row?.cells.map((cell) => cell.text) ?? [];
const body = (table: Table): readonly (readonly string[])[] =>
  Array.from({ length: table.size }, (_, index) => texts(table.row(index)));
const first = (table: Table): readonly string[] => body(table).map(([name = '']) => name);

describe('totals of a regular table', () => {
  const columns = [
    text('shop'),
    number('sold'),
    number('price', 'average'),
    number('least', 'min'),
    number('most', 'max'),
  ];
  const rows = [
    ['a', 2, 10, 3, 8],
    ['b', 5, 20, 1, 9],
    ['c', null, null, null, null],
  ];

  it('add sums, take the least and the greatest, and leave averages blank', () => {
    expect(texts(tableOf('regular-table', { columns }, rows, { totals: true }).foot)).toEqual([
      'Total',
      '7',
      '',
      '1',
      '9',
    ]);
  });

  it('are there only where they are asked for', () => {
    expect(tableOf('regular-table', { columns }, rows).foot).toBeNull();
  });

  it('are left out where rows are missing, and where nothing adds up', () => {
    expect(tableOf('regular-table', { columns }, rows, { totals: true }, { truncated: true }).foot).toBeNull();
    const averages = { columns: [text('shop'), number('price', 'average')] };
    expect(tableOf('regular-table', averages, [['a', 1]], { totals: true }).foot).toBeNull();
  });
});

describe('a sorted table', () => {
  const columns = [text('name'), month, number('sold')];
  const rows = [
    ['Item 10', '2024-03-01T00:00:00.000Z', 9],
    ['Ärmel', '2023-11-01T00:00:00.000Z', 100],
    [null, null, null],
    ['item 9', '2024-01-01T00:00:00.000Z', -5],
    ['Zebra', '2022-01-01T00:00:00.000Z', 20],
  ];
  const table = tableOf('regular-table', { columns }, rows);
  const by = (column: number, isDescending = false): readonly string[] => first(table.sorted({ column, isDescending }));

  it('has texts in the order of the language', () => {
    expect(by(0)).toEqual(['Ärmel', 'item 9', 'Item 10', 'Zebra', '(empty)']);
  });

  it('has times by when they are, and numbers by value, empty ones last whichever way', () => {
    expect(by(1)).toEqual(['Zebra', 'Ärmel', 'item 9', 'Item 10', '(empty)']);
    expect(by(2)).toEqual(['item 9', 'Item 10', 'Zebra', 'Ärmel', '(empty)']);
    expect(by(2, true)).toEqual(['Ärmel', 'Zebra', 'Item 10', 'item 9', '(empty)']);
  });

  it('comes back to the order of the answer', () => {
    expect(first(table.sorted({ column: 2, isDescending: true }).sorted(null))).toEqual(first(table));
  });
});

describe('a pivot table', () => {
  const slots = { row: [text('country'), text('channel')], column: [text('year')], measure: [number('sold')] };
  const rows = [
    ['NL', 'shop', '2023', 1],
    ['NL', 'shop', '2024', 2],
    ['NL', 'web', '2023', 10],
    ['BE', 'web', '2024', 40],
    ['BE', 'shop', '2023', 30],
  ];

  it('has totals down, across, and of each member of its outer rows', () => {
    const table = tableOf('pivot-table', slots, rows, { totals: true, subtotals: true });
    expect(table.head.map((row) => row.map((head) => head.text))).toEqual([
      ['country', 'channel', '2023', '2024', 'Total'],
    ]);
    expect(body(table)).toEqual([
      ['NL', 'shop', '1', '2', '3'],
      ['NL', 'web', '10', '', '10'],
      ['Total: NL', '11', '2', '13'],
      ['BE', 'web', '', '40', '40'],
      ['BE', 'shop', '30', '', '30'],
      ['Total: BE', '30', '40', '70'],
    ]);
    expect(texts(table.foot)).toEqual(['Total', '41', '42', '83']);
  });

  it('has one head beside the rows of a member, not beside their total', () => {
    const table = tableOf('pivot-table', slots, rows, { subtotals: true });
    expect(Array.from({ length: table.size }, (_, index) => table.row(index).cells[0]?.span)).toEqual([
      { first: 0, rows: 2 },
      { first: 0, rows: 2 },
      undefined,
      { first: 3, rows: 2 },
      { first: 3, rows: 2 },
      undefined,
    ]);
  });

  it('names the columns of totals of several measures, leaving out what does not add up', () => {
    const measure = [number('sold'), number('price', 'average')];
    const table = tableOf(
      'pivot-table',
      { ...slots, measure },
      rows.map((row) => [...row, 5]),
      { totals: true },
    );
    expect(table.head.at(-1)?.map((head) => head.text)).toEqual([
      'country',
      'channel',
      'sold',
      'price',
      'sold',
      'price',
      'sold',
    ]);
    expect(table.head[0]?.map((head) => [head.text, head.columns])).toEqual([
      ...([
        ['', 2],
        ['2023', 2],
        ['2024', 2],
        ['Total', 1],
      ] as const),
    ]);
    expect(texts(table.foot)).toEqual(['Total', '41', '', '42', '', '83']);
  });

  it('sorts rows within their outer members, and outer members with all their rows', () => {
    const table = tableOf('pivot-table', slots, rows);
    const names = (by: { column: number; isDescending: boolean }): readonly string[] =>
      body(table.sorted(by)).map(([country, channel]) => `${country} ${channel}`);
    expect(names({ column: 2, isDescending: true })).toEqual(['NL web', 'NL shop', 'BE shop', 'BE web']);
    expect(names({ column: 0, isDescending: false })).toEqual(['BE web', 'BE shop', 'NL shop', 'NL web']);
    expect(names({ column: 1, isDescending: false })).toEqual(['NL shop', 'NL web', 'BE shop', 'BE web']);
  });
});

describe('colours of cells', () => {
  const columns = [text('name'), number('sold'), number('lost')];
  const rows = [
    ['a', 0, 5],
    ['b', 50, 6],
    ['c', 100, 7],
  ];
  const inkOf = ({ cells }: TableRow, column: number): number => {
    const colors = cells[column]?.colors;
    const [fill, ink] = [parseColor(colors?.fill ?? ''), parseColor(colors?.ink ?? '')];
    return fill === null || ink === null ? 0 : contrast(fill, ink);
  };

  it('are of the first rule that fits its measure', () => {
    const rules = [
      { index: 0, min: 80, color: '#008000' },
      { index: 0, min: 40, color: '#ffcc00' },
    ];
    const table = tableOf('regular-table', { columns }, rows, { rules });
    expect(Array.from({ length: 3 }, (_, index) => table.row(index).cells.map(({ colors }) => colors?.fill))).toEqual([
      [undefined, undefined, undefined],
      [undefined, 'rgb(255,204,0)', undefined],
      [undefined, 'rgb(0,128,0)', undefined],
    ]);
  });

  it.each(Object.keys(builtInThemes))('can be read in theme %s', (theme) => {
    for (const type of ['sequential', 'diverging']) {
      const seen = lookIn(theme);
      const scale = { type, middle: 40 };
      const many = Array.from({ length: 101 }, (_, index) => [`m${index}`, index, index]);
      const table = tableOf('regular-table', { columns }, many, { scale }, { context: seen });
      for (let index = 0; index < table.size; index += 1)
        expect(inkOf(table.row(index), 1)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('are two that meet in the middle on a diverging scale', () => {
    const table = tableOf('regular-table', { columns }, rows, { scale: { type: 'diverging', middle: 50 } });
    const fills = Array.from({ length: 3 }, (_, index) => table.row(index).cells[1]?.colors?.fill);
    expect(new Set(fills).size).toBe(3);
  });
});

it('columns are as wide as what they hold, numbers in full and texts up to a limit', () => {
  const columns = [text('name'), number('sold')];
  const table = tableOf('regular-table', { columns }, [['x'.repeat(200), 123_456_789_012]]);
  const widths = columnWidths(table, (words) => words.length * 10, { padPx: 20, headPx: 30 });
  expect(widths).toEqual([280, 140]);
});

describe('a column that a table has twice', () => {
  const rows = [['a', 'x', 6, 3]];
  const twice = [number('sold'), number('sold', 'average')];
  const headOf = (table: Table): readonly string[] => (table.head.at(-1) ?? []).map((head) => head.text);

  it('is named by its aggregation too, in tables and pivot tables', () => {
    const flat = tableOf('regular-table', { columns: [text('shop'), text('kind'), ...twice] }, rows);
    expect(headOf(flat)).toEqual(['shop', 'kind', 'sold (sum)', 'sold (average)']);
    const pivot = tableOf('pivot-table', { row: [text('shop')], column: [text('kind')], measure: twice }, rows);
    expect(headOf(pivot)).toEqual(['shop', 'sold (sum)', 'sold (average)']);
    const once = tableOf('regular-table', { columns: [text('shop'), text('kind'), number('sold')] }, rows);
    expect(headOf(once)).toEqual(['shop', 'kind', 'sold']);
  });
});

describe('identifiers', () => {
  const plain = (columnId: string, subtype: Json): Json => ({
    columnId,
    datasetId: 'd',
    type: 'numeric',
    label: columnId,
    subtype,
  });

  it('have no separators and all digits, and no total', () => {
    const columns = [plain('order', 'identifier'), plain('amount', null)];
    const table = tableOf(
      'regular-table',
      { columns },
      [
        [44_000, 1500],
        ['12345678901234567891', 2500],
      ],
      { totals: true },
    );
    expect(body(table)).toEqual([
      ['44000', '1,500'],
      ['12345678901234567891', '2,500'],
    ]);
    expect(texts(table.foot)).toEqual(['Total', '4,000']);
  });
});
