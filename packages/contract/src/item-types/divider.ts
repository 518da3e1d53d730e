import { itemType } from './declare/item-type.ts';

export const divider = itemType({
  type: 'divider',
  kind: 'content',
  slots: [],
});
