import { itemType } from './declare/item-type.ts';
import { required } from './declare/slot.ts';

export const searchFilter = itemType({
  type: 'search-filter',
  kind: 'filter',
  filtersBy: 'text',
  slots: [required('dimension', 'choice')],
  size: [12, 4],
  questionWords: [{ words: '(?:search|text)[ -](?:filter|box|field|bar)', rank: 35 }],
});
