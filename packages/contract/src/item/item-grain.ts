import type { ResultSlot } from './item-rows.ts';
import { isNumberType } from '../item-types/facts.ts';
import { binningTypes } from '../item-types/tables/query-tables.ts';
import type { Item } from './item.ts';

/** Default number of bins. */
const usualBins = 12;

/** Divides the number of a histogram into bins. */
export function binned({ type }: Item, resultSlot: ResultSlot): ResultSlot {
  const { slot, content } = resultSlot;
  const isPlain = content !== null && content.type === 'numeric' && content.bins === null;
  return binningTypes.includes(type) && isPlain ? { slot, content: { ...content, bins: usualBins } } : resultSlot;
}

const day = 5;

/** Groups the time of a number item by day if the entry has no level. */
export function byPeriod({ type }: Item, resultSlot: ResultSlot): ResultSlot {
  const { slot, content } = resultSlot;
  const isFree = content?.type === 'datetime' && content.part === null && content.level === null;
  return isNumberType(type) && slot === 'evolution' && isFree
    ? { slot, content: { ...content, level: day } }
    : resultSlot;
}
