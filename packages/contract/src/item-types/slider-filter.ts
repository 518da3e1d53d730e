import { itemType } from './declare/item-type.ts';
import { oneOrMore } from './declare/slot.ts';

export const sliderFilter = itemType({
  type: 'slider-filter',
  kind: 'filter',
  filtersBy: 'range',
  slots: [oneOrMore('slidermetric', 'range')],
  size: [12, 4],
  questionWords: [
    { words: '(?:slider|range)[ -](?:filter|selector)', rank: 38 },
    { words: 'slider', rank: 39 },
  ],
});
