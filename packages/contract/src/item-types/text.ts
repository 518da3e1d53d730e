import { itemType } from './declare/item-type.ts';
import { measures } from './declare/shared.ts';

export const text = itemType({
  type: 'text',
  kind: 'content',
  slots: [measures],
  options: ['text', 'align'],
  requires: ['text'],
});
