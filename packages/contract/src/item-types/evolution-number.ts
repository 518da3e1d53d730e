import { itemType } from './declare/item-type.ts';
import { menuOptions } from './declare/shared.ts';
import { optional, required } from './declare/slot.ts';

export const evolutionNumber = itemType({
  type: 'evolution-number',
  kind: 'chart',
  family: 'figure',
  slots: [required('measure', 'measure'), optional('evolution', 'time')],
  options: [...menuOptions, 'rules', 'comparison'],
  size: [12, 8],
  countsRows: true,
  questionWords: [
    { words: '(?:evolution|big|single|key|kpi|headline) (?:number|figure|value|metric)(?: tile)?', rank: 26 },
    { words: '(?:kpi|scorecard|single number|indicator)(?: (?:card|tile))?', rank: 32 },
  ],
});
