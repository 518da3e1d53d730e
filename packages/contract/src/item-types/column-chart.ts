import { itemType } from './declare/item-type.ts';
import { barOptions, columnSlots } from './declare/shared.ts';

export const columnChart = itemType({
  type: 'column-chart',
  kind: 'chart',
  family: 'bars',
  slots: columnSlots,
  options: [...barOptions, 'trend'],
  countsRows: true,
  largestFirst: true,
  questionWords: [
    { words: '(?:stacked|stack|grouped|clustered) (?:column|columns){chart}', rank: 1, stacked: true },
    { words: '(?:vertical )?columns?{chart}', rank: 4 },
  ],
});
