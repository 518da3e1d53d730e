import { isNumberType } from '../item-types/facts.ts';
import { addsUp, itemQuery } from './item-query.ts';
import type { Item } from './item.ts';

/**
 * Returns a number item without its time, so that its query returns the value of a whole period. Null if the item has
 * no time, or if the values of shorter periods can be added up.
 */
export function periodItem(item: Item): Item | null {
  if (!isNumberType(item.type)) return null;
  const result = itemQuery(item);
  if (result === null || result.dimensions.length === 0 || result.measures.every(addsUp)) return null;
  return { ...item, slots: item.slots.filter(({ name }) => name !== 'evolution') };
}
