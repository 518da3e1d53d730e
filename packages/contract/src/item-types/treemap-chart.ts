import { itemType } from './declare/item-type.ts';
import { markOptions, tileSlots } from './declare/shared.ts';

export const treemapChart = itemType({
  type: 'treemap-chart',
  kind: 'chart',
  family: 'tiles',
  slots: tileSlots,
  options: markOptions,
  countsRows: true,
  questionWords: [{ words: 'tree ?-?maps?{chart}?', rank: 19 }],
});
