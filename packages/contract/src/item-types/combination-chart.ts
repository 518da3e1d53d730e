import { itemType } from './declare/item-type.ts';
import { cartesianOptions, measures } from './declare/shared.ts';
import { required } from './declare/slot.ts';

export const combinationChart = itemType({
  type: 'combination-chart',
  kind: 'chart',
  family: 'combination',
  slots: [required('x-axis', 'category'), measures],
  options: [...cartesianOptions, 'shapes'],
  questionWords: [
    { words: '(?:combo|combination|combined|dual[ -]axis|bar and line|column and line){chart}', rank: 28 },
  ],
});
