import { itemType } from './declare/item-type.ts';
import { gaugeOptions, gaugeSlots } from './declare/shared.ts';

export const circularGauge = itemType({
  type: 'circular-gauge',
  kind: 'chart',
  family: 'gauge',
  slots: gaugeSlots,
  options: gaugeOptions,
  size: [12, 14],
  questionWords: [{ words: '(?:circular |ring |round )?gauges?{chart}?', rank: 30 }],
});
