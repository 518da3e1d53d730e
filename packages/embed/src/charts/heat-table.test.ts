import { itemQuery, readItem, type Json } from '@inlay/contract';
import { resolveTheme } from '@inlay/contract/theme';
import { expect, it } from 'vitest';
import { createFormats } from '../locale/format.ts';
import { wordsFor } from '../locale/words.ts';
import type { SizedContext } from './frame/chart.ts';
import { createFrame } from './frame/frame.ts';
import { createMemberColors } from './frame/member-colors.ts';
import { chart } from './heat-table.ts';

const context: SizedContext = {
  theme: resolveTheme([]),
  formats: createFormats('en', 'UTC'),
  words: wordsFor('en'),
  colors: createMemberColors(8),
  nowMs: 0,
  widthPx: 600,
  heightPx: 300,
  patterns: false,
  reducedMotion: true,
  rightToLeft: false,
};

interface Series {
  readonly renderItem: (cell: object, api: object) => { readonly textContent?: object } | null;
}
const isSeries = (value: unknown): value is readonly Series[] => Array.isArray(value);

/** Returns for each cell whether it shows its number at a cell width. */
function numbered(values: readonly number[], cellPx: number): readonly boolean[] {
  const entry = (columnId: string, type: string): Json => ({ columnId, datasetId: 'd', label: columnId, type });
  const slots = [
    { name: 'x-axis', content: [entry('Hour', 'hierarchy')] },
    { name: 'y-axis', content: [entry('Day', 'hierarchy')] },
    { name: 'measure', content: [entry('Orders', 'numeric')] },
  ];
  const item = readItem({ id: 'i', type: 'heat-table', options: {}, slots });
  const query = item === null ? null : itemQuery(item);
  if (item === null || query === null) throw new Error('no item');
  const rows = values.map((value, index): readonly Json[] => [`h${index}`, 'Monday', value]);
  const series: unknown = chart.option(createFrame(item, query, rows, context), context)['series'];
  const api = { coord: () => [0, 0], size: () => [cellPx, 24] };
  return isSeries(series)
    ? rows.map((_, dataIndex) => series[0]?.renderItem({ dataIndex }, api)?.textContent !== undefined)
    : [];
}

it('a heat table has numbers in all cells or in none', () => {
  expect(numbered([5, 12, 240], 40)).toEqual([true, true, true]);
  expect(numbered([5, 12, 240], 22)).toEqual([false, false, false]);
  expect(numbered([5, 12, 24], 22)).toEqual([true, true, true]);
});
