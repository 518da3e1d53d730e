import { itemType } from './declare/item-type.ts';
import { markOptions, stageSlots } from './declare/shared.ts';

export const funnelChart = itemType({
  type: 'funnel-chart',
  kind: 'chart',
  family: 'stages',
  slots: stageSlots,
  options: [...markOptions, 'oneColor'],
  countsRows: true,
  largestFirst: true,
  questionWords: [{ words: 'funnels?{chart}?', rank: 6 }],
});
