import { itemType } from './declare/item-type.ts';
import { markOptions, stageSlots } from './declare/shared.ts';

export const donutChart = itemType({
  type: 'donut-chart',
  kind: 'chart',
  family: 'shares',
  slots: stageSlots,
  options: [...markOptions, 'others', 'legend'],
  countsRows: true,
  largestFirst: true,
  questionWords: [
    { words: '(?:pie|donut|doughnut|ring){chart}?', rank: 18 },
    { words: ' (?:by|in|as|return|using) (?:a )?(?:pie|donut) ', rank: 94, isPhrase: true },
  ],
});
