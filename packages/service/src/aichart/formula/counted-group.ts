import type { ComputedValue, Quantity } from '../plan.ts';
import { isByOrPer } from '../vocabulary/groups.ts';
import type { Word } from '../vocabulary/words.ts';
import type { QuestionReading } from '../read/reading.ts';

/** A quantity that uses the group of a chart, and the words that say so. */
export interface CountedGroup {
  readonly quantity: Quantity;
  readonly words: readonly Word[];
}

const distinct = new Set(['unique', 'distinct', 'different']);
const perEach = new Set(['per', 'each', 'every']);

/**
 * Reads the group of a chart as a part of its quantity, for a text that is no chart: "revenue per guest" is a ratio to
 * the number of different guests, and "number of guests" is that number. Null if the group is only a group.
 */
export function countedGroup(
  { words, mentions }: QuestionReading,
  quantity: Quantity,
  column: number,
): CountedGroup | null {
  const mention = mentions.find(({ options }) => options[0]?.column === column);
  if (mention === undefined) return null;
  const isDistinct = distinct.has(words[mention.start - 1]?.text ?? '');
  const start = isDistinct ? mention.start - 1 : mention.start;
  const { text: before = '' } = words[start - 1] ?? {};
  const used = words.slice(start, mention.end);
  const isCount = quantity.column === null && quantity.computed === undefined;
  const members: Quantity = { column, aggregation: 'distinctcount' };
  if ((perEach.has(before) || isByOrPer(words[start - 1])) && quantity.computed === undefined) {
    const computed: ComputedValue = { kind: 'ratio', of: quantity, to: members, isShare: false };
    return { quantity: { column: quantity.column, aggregation: null, computed }, words: used };
  }
  return isCount && (isDistinct || before === 'of' || before === 'many') ? { quantity: members, words: used } : null;
}
