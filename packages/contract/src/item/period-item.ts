import { isNumberType } from '../item-types/facts.ts';
import { addsUp, itemQuery } from './item-query.ts';
import type { Item } from './item.ts';

/** A number without its time, which gives its value in the whole of a period; null where it has no time, or its values over time add up. */
export function periodItem(item: Item): Item | null {
  if (!isNumberType(item.type)) return null;
  const asked = itemQuery(item);
  if (asked === null || asked.dimensions.length === 0 || asked.measures.every(addsUp)) return null;
  return { ...item, slots: item.slots.filter(({ name }) => name !== 'evolution') };
}
