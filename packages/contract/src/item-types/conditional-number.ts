import { itemType } from './declare/item-type.ts';
import { menuOptions } from './declare/shared.ts';
import { optional, required } from './declare/slot.ts';

export const conditionalNumber = itemType({
  type: 'conditional-number',
  kind: 'chart',
  family: 'figure',
  slots: [required('measure', 'measure'), optional('target', 'target'), optional('evolution', 'time')],
  options: [...menuOptions, 'rules', 'comparison'],
  size: [12, 8],
  countsRows: true,
  questionWords: [{ words: '(?:conditional|target) (?:number|figure|kpi)(?: tile)?', rank: 31 }],
});
