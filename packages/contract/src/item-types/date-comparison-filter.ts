import { itemType } from './declare/item-type.ts';
import { required } from './declare/slot.ts';

export const dateComparisonFilter = itemType({
  type: 'date-comparison-filter',
  kind: 'filter',
  filtersBy: 'range',
  slots: [required('time', 'period')],
  options: ['comparison'],
  size: [12, 4],
  questionWords: [{ words: '(?:date|time|period)[ -]comparison[ -](?:filter|picker|selector)', rank: 33 }],
});
