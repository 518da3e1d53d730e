import { itemType } from './declare/item-type.ts';
import { lineOptions, lineSlots } from './declare/shared.ts';

export const lineChart = itemType({
  type: 'line-chart',
  kind: 'chart',
  family: 'lines',
  slots: lineSlots,
  options: lineOptions,
  countsRows: true,
  questionWords: [
    {
      words: '(?:multi |multiple |multi-series )?(?:grouped|group|grouping|multi)[ -]lines?{chart}?',
      rank: 10,
      stacked: true,
    },
    { words: '(?:trend )?lines?{chart}', rank: 11 },
    { words: 'trend ?lines?{chart}?', rank: 12 },
  ],
});
