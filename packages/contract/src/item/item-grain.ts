import type { ResultSlot } from './item-query.ts';
import { isNumberType } from '../charts.ts';
import { finestLevel, type Item } from './item.ts';

/** Ranges of a histogram that says none. */
const usualBins = 12;

/** A number along a histogram is cut into ranges. */
export function binned({ type }: Item, placed: ResultSlot): ResultSlot {
  const { slot, content } = placed;
  const isPlain = content !== null && content.type === 'numeric' && content.bins === null;
  return type === 'histogram' && isPlain ? { slot, content: { ...content, bins: usualBins } } : placed;
}

const day = 5;

/** The days of a number over time whose measures add up: a period that has not ended is compared with the same days of another. */
export function byDay({ type }: Item, placed: ResultSlot): ResultSlot {
  const { slot, content } = placed;
  if (!isNumberType(type) || slot !== 'evolution' || content === null) return placed;
  const isCoarse = content.type === 'datetime' && content.part === null && (content.level ?? day) < day;
  return isCoarse && (finestLevel(content) ?? day) >= day ? { slot, content: { ...content, level: day } } : placed;
}
