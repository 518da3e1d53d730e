import { member, type Item } from '@inlay/contract';

/** Where the content of an item stands. */
export const alignOf = ({ options }: Pick<Item, 'options'>): 'start' | 'center' | 'end' => {
  const align = member(options, 'align');
  return align === 'center' || align === 'end' ? align : 'start';
};
