import { itemType } from './declare/item-type.ts';

export const spacer = itemType({
  type: 'spacer',
  kind: 'content',
  slots: [],
});
