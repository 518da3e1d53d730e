import { itemType } from './declare/item-type.ts';
import { oneOrMore } from './declare/slot.ts';

export const dropdownFilter = itemType({
  type: 'dropdown-filter',
  kind: 'filter',
  filtersBy: 'choice',
  slots: [oneOrMore('dimension', 'choice')],
  options: ['multiple'],
  size: [12, 4],
  questionWords: [{ words: '(?:drop ?-?down)(?:[ -](?:filter|list|menu|selector))?', rank: 36 }],
});
