import { itemQuery, readItem, type Json } from '@inlay/contract';
import { resolveTheme } from '@inlay/contract/theme';
import { describe, expect, it } from 'vitest';
import { createFormats } from '../locale/format.ts';
import { wordsFor } from '../locale/words.ts';
import type { SizedContext } from './frame/chart.ts';
import { chart as columnChart } from './column-chart.ts';
import { chart as lineChart } from './line-chart.ts';
import { createMemberColors } from './frame/member-colors.ts';
import { createFrame, type Frame } from './frame/frame.ts';
import { cloudOption } from './drawing/points.ts';
import { chart as pivotTable } from './pivot-table.ts';

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
const region: Json = { columnId: 'region', datasetId: 'd', type: 'hierarchy' };
const weekday: Json = { columnId: 'at', datasetId: 'd', type: 'datetime', datetimeDisplayMode: 'weekday_name' };
const revenue: Json = { columnId: 'revenue', datasetId: 'd', type: 'numeric' };

function frameOf(
  type: string,
  slots: Readonly<Record<string, Json>>,
  rows: readonly Json[][],
  options: Json = {},
): Frame {
  const slotList = Object.entries(slots).map(([name, content]) => ({ name, content: [content] }));
  const item = readItem({ id: 'i', type, options, slots: slotList });
  const query = item === null ? null : itemQuery(item);
  if (item === null || query === null) throw new Error('no item');
  return createFrame(item, query, rows, context);
}

/** Rows are sorted by region; the first region has no Monday. */
const rows = [
  ['Africa', 2, 10],
  ['Africa', 7, 20],
  ['Asia', 1, 30],
  ['Asia', 2, 40],
  ['Asia', null, 50],
];
const inOrder = ['Monday', 'Tuesday', 'Sunday', '(empty)'];

describe('weekdays that come behind another dimension', () => {
  const head = (options?: Json): readonly string[] => {
    const frame = frameOf('pivot-table', { row: region, column: weekday, measure: revenue }, rows, options);
    return (
      pivotTable
        .table(frame, context)
        .head[0]?.slice(1)
        .map(({ text }) => text) ?? []
    );
  };

  it('are columns of a pivot table in their own order', () => {
    expect(head()).toEqual(inOrder);
  });

  it('stay in the order of the rows where the item has one', () => {
    expect(head({ sort: { by: 'measure', order: 'asc' } })).toEqual(['Tuesday', 'Sunday', 'Monday', '(empty)']);
  });

  it('are series and members of an axis in their own order', () => {
    const stacked = frameOf('column-chart', { 'x-axis': region, legend: weekday, measure: revenue }, rows);
    expect(columnChart.option(stacked, context)['series']).toMatchObject(inOrder.map((name) => ({ name })));
    const along = frameOf('column-chart', { legend: region, 'x-axis': weekday, measure: revenue }, rows);
    expect(columnChart.option(along, context)['xAxis']).toMatchObject({ type: 'category', data: inOrder });
  });

  it('are no points on a scale of time', () => {
    const frame = frameOf('scatter-plot', { name: region, 'x-axis': weekday, 'y-axis': revenue }, rows);
    const [x, y] = [frame.slot('x-axis')[0], frame.slot('y-axis')[0]];
    const option = cloudOption({ x, y, size: undefined, color: undefined, names: frame.slot('name') }, frame, context);
    expect(option['xAxis']).toMatchObject({ type: 'category', data: inOrder });
    expect(option['series']).toMatchObject([
      { data: [{ value: ['Tuesday', 10] }, { value: ['Sunday', 20] }, {}, {}, {}] },
    ]);
    const line = frameOf(
      'line-chart',
      { 'x-axis': weekday, measure: revenue },
      rows.map((row) => row.slice(1)),
    );
    expect(lineChart.option(line, context)['xAxis']).toMatchObject({ type: 'category' });
  });

  it('are gaps in lines and areas where they have no rows, and no straight line to the next', () => {
    const drawn = (type: 'line-chart' | 'column-chart', options: Json = {}) => {
      const slots = { 'x-axis': weekday, measure: revenue };
      const frame = frameOf(
        type,
        slots,
        [
          [2, 10],
          [3, 20],
          [6, 30],
        ],
        options,
      );
      const option = (type === 'line-chart' ? lineChart : columnChart).option(frame, context);
      return [option['xAxis'], option['series']];
    };
    expect(drawn('line-chart')).toMatchObject([
      { data: ['Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] },
      [{ data: [10, 20, null, null, 30].map((value) => ({ value })) }],
    ]);
    const without = { data: ['Tuesday', 'Wednesday', 'Saturday'] };
    expect(drawn('column-chart')).toMatchObject([without, {}]);
    expect(drawn('line-chart', { sort: { by: 'x-axis' } })).toMatchObject([without, {}]);
  });
});
