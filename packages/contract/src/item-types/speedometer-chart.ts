import { itemType } from './declare/item-type.ts';
import { gaugeOptions, gaugeSlots } from './declare/shared.ts';

export const speedometerChart = itemType({
  type: 'speedometer-chart',
  kind: 'chart',
  family: 'gauge',
  slots: gaugeSlots,
  options: gaugeOptions,
  size: [12, 14],
  questionWords: [{ words: '(?:speedometer|dial)s?{chart}?', rank: 29 }],
});
