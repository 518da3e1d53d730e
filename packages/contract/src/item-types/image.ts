import { itemType } from './declare/item-type.ts';

export const image = itemType({
  type: 'image',
  kind: 'content',
  slots: [],
  options: ['src', 'alt', 'align', 'fit'],
  requires: ['src'],
});
