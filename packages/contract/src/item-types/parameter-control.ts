import { itemType } from './declare/item-type.ts';

export const parameterControl = itemType({
  type: 'parameter-control',
  kind: 'content',
  slots: [],
  options: ['parameter', 'choices', 'style'],
  requires: ['parameter'],
});
