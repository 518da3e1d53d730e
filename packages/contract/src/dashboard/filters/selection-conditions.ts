import type { Json } from '../../json.ts';
import type { SlotContent } from '../../item/item.ts';
import { filterOn, type Condition, type Filter } from './filter.ts';

/** The condition for selected members; null if none are selected. */
export function choiceOn(content: SlotContent | null, cells: readonly Json[]): Condition | null {
  if (content === null || content.part !== null || cells.length === 0) return null;
  return filterOn(content, '? in ?', cells);
}

/** The condition for a range; null ends are open. Days are midnights UTC, which the service reads in the time zone of the query. */
export function rangeOn(
  content: SlotContent | null,
  datetime: boolean,
  from: number | null,
  to: number | null,
): Filter | null {
  if (content === null) return null;
  const plain = { ...content, level: null };
  const value = (at: number): Json => (datetime ? new Date(at).toISOString().slice(0, 10) : at);
  if (from !== null && to !== null) return filterOn(plain, '? between ?', [value(from), value(to)]);
  if (from !== null) return filterOn(plain, '? >= ?', value(from));
  return to === null ? null : filterOn(plain, '? <= ?', value(to));
}

/** The condition for a search text, ignoring case; null if the text is empty. */
export function textOn(content: SlotContent | null, text: string): Condition | null {
  if (content === null || content.part !== null || text === '') return null;
  const [lower, upper] = [text.toLowerCase(), text.toUpperCase()];
  const capital = lower.slice(0, 1).toUpperCase() + lower.slice(1);
  const of = [...new Set([text, lower, upper, capital])].map((one) =>
    filterOn(content, '? like ?', one.includes('%') ? `%${one}%` : one),
  );
  const [first] = of;
  return of.length === 1 && first !== undefined ? first : { join: 'or', of };
}
