import { itemType } from './declare/item-type.ts';
import { lineOptions, lineSlots } from './declare/shared.ts';

export const areaChart = itemType({
  type: 'area-chart',
  kind: 'chart',
  family: 'lines',
  slots: lineSlots,
  options: [...lineOptions, 'stacked', 'percent'],
  countsRows: true,
  questionWords: [
    { words: '(?:stacked|stack) area{chart}?', rank: 8, stacked: true },
    { words: 'area{chart}', rank: 9 },
  ],
});
