import { itemType } from './declare/item-type.ts';

export const tabs = itemType({
  type: 'tabs',
  kind: 'content',
  slots: [],
  options: ['tabs'],
  requires: ['tabs'],
});
