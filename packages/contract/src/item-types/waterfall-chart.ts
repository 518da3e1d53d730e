import { itemType } from './declare/item-type.ts';
import { markOptions } from './declare/shared.ts';
import { optional, required } from './declare/slot.ts';

export const waterfallChart = itemType({
  type: 'waterfall-chart',
  kind: 'chart',
  family: 'stages',
  slots: [required('x-axis', 'category'), optional('measure', 'measure')],
  options: [...markOptions, 'axis'],
  countsRows: true,
  questionWords: [{ words: 'waterfalls?{chart}?', rank: 7 }],
});
