import { itemType } from './declare/item-type.ts';
import { markOptions, levelSlots } from './declare/shared.ts';

export const circlePackChart = itemType({
  type: 'circle-pack-chart',
  kind: 'chart',
  family: 'levels',
  slots: levelSlots,
  options: markOptions,
  countsRows: true,
  questionWords: [
    { words: 'circle[ -]?pack(?:ing|ed|s)?{chart}?', rank: 21 },
    { words: 'packed circles?{chart}?', rank: 22 },
  ],
});
