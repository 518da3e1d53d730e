import type { ResultSlot } from './item-rows.ts';
import { isNumberType } from '../item-types/facts.ts';
import { binningTypes } from '../item-types/tables/query-tables.ts';
import type { Item } from './item.ts';

/** Ranges of a histogram that says none. */
const usualBins = 12;

/** A number along a histogram is cut into ranges. */
export function binned({ type }: Item, placed: ResultSlot): ResultSlot {
  const { slot, content } = placed;
  const isPlain = content !== null && content.type === 'numeric' && content.bins === null;
  return binningTypes.includes(type) && isPlain ? { slot, content: { ...content, bins: usualBins } } : placed;
}

const day = 5;

/** A number over time has one value for each period: days where its time has no level. */
export function byPeriod({ type }: Item, placed: ResultSlot): ResultSlot {
  const { slot, content } = placed;
  const isFree = content?.type === 'datetime' && content.part === null && content.level === null;
  return isNumberType(type) && slot === 'evolution' && isFree ? { slot, content: { ...content, level: day } } : placed;
}
