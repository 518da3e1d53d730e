import { isNumberType } from '../item-types/facts.ts';
import { addsUp, itemQuery } from './item-query.ts';
import type { Item } from './item.ts';

/**
 * Returns a number without its time, to query its value over a whole period; null if it has no time or its values over
 * time can be added.
 */
export function periodItem(item: Item): Item | null {
  if (!isNumberType(item.type)) return null;
  const result = itemQuery(item);
  if (result === null || result.dimensions.length === 0 || result.measures.every(addsUp)) return null;
  return { ...item, slots: item.slots.filter(({ name }) => name !== 'evolution') };
}
