import { itemQuery, readItem, type Json } from '@inlay/contract';
import { resolveTheme } from '@inlay/contract/theme';
import { expect, it } from 'vitest';
import { createFormats } from '../../locale/format.ts';
import { wordsFor } from '../../locale/words.ts';
import type { SizedContext } from '../frame/chart.ts';
import { createFrame } from '../frame/frame.ts';
import { createMemberColors } from '../frame/member-colors.ts';
import { chart as scatterPlot } from '../scatter-plot.ts';

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

it('draws the bins of a scatter plot at their middles, as large as they have rows', () => {
  const binned = (columnId: string): Json => ({
    columnId,
    datasetId: 'd',
    type: 'numeric',
    bins: { enabled: true, number: 20 },
  });
  const rows: Json = { columnId: 'id', datasetId: 'd', type: 'numeric', aggregationFunc: 'count' };
  const slots = Object.entries({ 'x-axis': binned('price'), 'y-axis': binned('weight'), size: rows });
  const item = readItem({
    id: 'i',
    type: 'scatter-plot',
    slots: slots.map(([name, entry]) => ({ name, content: [entry] })),
  });
  const query = item === null ? null : itemQuery(item);
  if (item === null || query === null) throw new Error('no item');
  const cells: readonly Json[][] = [
    [[0, 10], [4, 6], 100],
    [[10, 20], [4, 6], 25],
  ];
  const option = scatterPlot.option(createFrame(item, query, cells, context), context);
  expect(option['xAxis']).toMatchObject({ type: 'value' });
  // The area of a point is proportional to its rows.
  expect(option['series']).toMatchObject([
    {
      data: [
        { value: [5, 5], symbolSize: 50 },
        { value: [15, 5], symbolSize: 25 },
      ],
    },
  ]);
});
