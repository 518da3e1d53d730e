import { itemType } from './declare/item-type.ts';
import { markOptions, levelSlots } from './declare/shared.ts';

export const sunburstChart = itemType({
  type: 'sunburst-chart',
  kind: 'chart',
  family: 'levels',
  slots: levelSlots,
  options: markOptions,
  countsRows: true,
  questionWords: [{ words: 'sun ?-?bursts?{chart}?', rank: 20 }],
});
