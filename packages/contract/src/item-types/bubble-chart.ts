import { itemType } from './declare/item-type.ts';
import { markOptions, tileSlots } from './declare/shared.ts';

export const bubbleChart = itemType({
  type: 'bubble-chart',
  kind: 'chart',
  family: 'tiles',
  slots: tileSlots,
  options: markOptions,
  countsRows: true,
  questionWords: [{ words: 'bubbles?{chart}?', rank: 17 }],
});
