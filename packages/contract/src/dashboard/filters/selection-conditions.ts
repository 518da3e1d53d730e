import type { Json } from '../../json.ts';
import type { SlotContent } from '../../item/item.ts';
import { filterOn, type Condition, type Filter } from './filter.ts';

/** Returns the condition that matches the selected members; null if no member is selected. */
export function choiceOn(content: SlotContent | null, cells: readonly Json[]): Condition | null {
  if (content === null || content.part !== null || cells.length === 0) return null;
  return filterOn(content, '? in ?', cells);
}

/**
 * Returns the condition that matches a range. A null end is not limited. Days are midnights UTC; the service interprets
 * them in the time zone of the query.
 */
export function rangeOn(
  content: SlotContent | null,
  datetime: boolean,
  from: number | null,
  to: number | null,
): Filter | null {
  if (content === null) return null;
  const contentWithoutLevel = { ...content, level: null };
  const value = (at: number): Json => (datetime ? new Date(at).toISOString().slice(0, 10) : at);
  if (from !== null && to !== null) return filterOn(contentWithoutLevel, '? between ?', [value(from), value(to)]);
  if (from !== null) return filterOn(contentWithoutLevel, '? >= ?', value(from));
  return to === null ? null : filterOn(contentWithoutLevel, '? <= ?', value(to));
}

/**
 * Returns the condition that matches texts that contain a search text, ignoring case; null if the search text is empty.
 */
export function textOn(content: SlotContent | null, text: string): Condition | null {
  if (content === null || content.part !== null || text === '') return null;
  const [lowerCase, upperCase] = [text.toLowerCase(), text.toUpperCase()];
  const capital = lowerCase.slice(0, 1).toUpperCase() + lowerCase.slice(1);
  const of = [...new Set([text, lowerCase, upperCase, capital])].map((entry) =>
    filterOn(content, '? like ?', entry.includes('%') ? `%${entry}%` : entry),
  );
  const [firstCondition] = of;
  return of.length === 1 && firstCondition !== undefined ? firstCondition : { join: 'or', of };
}
