import { itemType } from './declare/item-type.ts';
import { markOptions } from './declare/shared.ts';
import { optional, required, several } from './declare/slot.ts';

export const scatterPlot = itemType({
  type: 'scatter-plot',
  kind: 'chart',
  family: 'points',
  slots: [
    required('x-axis', 'across'),
    required('y-axis', 'up'),
    several('name', 'name'),
    optional('size', 'size'),
    optional('color', 'color'),
  ],
  options: [...markOptions, 'axis', 'legend', 'trend'],
  plainRows: 'numeric',
  questionWords: [
    { words: '(?:grouped|group|grouping) scatter{chart}?', rank: 13, stacked: true },
    { words: 'scatter ?(?:plot|plots|chart|graph|diagram)?{chart}?', rank: 14 },
    { words: 'scatterplots?', rank: 15 },
  ],
});
