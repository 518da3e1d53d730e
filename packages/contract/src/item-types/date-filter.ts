import { itemType } from './declare/item-type.ts';
import { oneOrMore } from './declare/slot.ts';

export const dateFilter = itemType({
  type: 'date-filter',
  kind: 'filter',
  filtersBy: 'range',
  slots: [oneOrMore('time', 'period')],
  size: [12, 4],
  questionWords: [
    { words: '(?:date|time|period|calendar)[ -](?:filter|picker|selector|range filter|slicer)', rank: 34 },
  ],
});
