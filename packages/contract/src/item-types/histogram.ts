import { itemType } from './declare/item-type.ts';
import { markOptions } from './declare/shared.ts';
import { optional, required } from './declare/slot.ts';

export const histogram = itemType({
  type: 'histogram',
  kind: 'chart',
  family: 'bins',
  slots: [required('x-axis', 'bins'), optional('measure', 'measure')],
  options: [...markOptions, 'axis'],
  countsRows: true,
  questionWords: [{ words: 'histograms?{chart}?', rank: 5 }],
});
