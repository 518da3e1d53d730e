import { itemType } from './declare/item-type.ts';
import { barOptions, measures } from './declare/shared.ts';
import { optional } from './declare/slot.ts';

export const barChart = itemType({
  type: 'bar-chart',
  kind: 'chart',
  family: 'bars',
  slots: [optional('y-axis', 'category'), measures, optional('legend', 'series')],
  options: barOptions,
  countsRows: true,
  largestFirst: true,
  questionWords: [
    { words: '(?:stacked|stack|stacking|grouped|group|clustered) (?:bar|bars){chart}?', rank: 0, stacked: true },
    { words: '(?:horizontal )?(?:bar|bars){chart}', rank: 2 },
    { words: 'bar', rank: 3, onlyAs: true },
  ],
});
