import { itemType } from './declare/item-type.ts';
import { markOptions } from './declare/shared.ts';
import { optional, required } from './declare/slot.ts';

export const heatTable = itemType({
  type: 'heat-table',
  kind: 'chart',
  family: 'matrix',
  slots: [required('x-axis', 'category'), required('y-axis', 'category'), optional('measure', 'measure')],
  options: [...markOptions, 'rules', 'scale', 'axis'],
  countsRows: true,
  questionWords: [{ words: 'heat ?(?:map|table)s?', rank: 25 }],
});
