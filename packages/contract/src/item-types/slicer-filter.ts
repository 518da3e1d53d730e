import { itemType } from './declare/item-type.ts';
import { optional, several } from './declare/slot.ts';

export const slicerFilter = itemType({
  type: 'slicer-filter',
  kind: 'filter',
  filtersBy: 'choice',
  slots: [several('dimension', 'choice'), optional('measure', 'measure')],
  options: ['multiple', 'style'],
  size: [12, 10],
  questionWords: [{ words: '(?:slicer|button|checkbox|tick box)(?:[ -](?:filter|list))?', rank: 37 }],
});
