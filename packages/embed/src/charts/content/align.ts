import { member, type Item } from '@inlay/contract';

export const alignOf = ({ options }: Pick<Item, 'options'>): 'start' | 'center' | 'end' => {
  const align = member(options, 'align');
  return align === 'center' || align === 'end' ? align : 'start';
};
