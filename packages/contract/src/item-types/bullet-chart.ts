import { itemType } from './declare/item-type.ts';
import { gaugeOptions } from './declare/shared.ts';
import { optional, required } from './declare/slot.ts';

export const bulletChart = itemType({
  type: 'bullet-chart',
  kind: 'chart',
  family: 'bullets',
  slots: [optional('category', 'category'), required('measure', 'measure'), optional('target', 'target')],
  options: gaugeOptions,
  largestFirst: true,
  questionWords: [{ words: 'bullet{chart}s?', rank: 27 }],
});
