import { othersOf, type Json, type SlotContent } from '@inlay/contract';
import type { Field } from './charts/frame/frame.ts';
import type { Mark } from './charts/frame/chart.ts';
import type { Condition, Filter } from './filters.ts';

const filterOn = (content: SlotContent, expression: string, value: Json | undefined): Filter => ({
  expression,
  datasetId: content.datasetId ?? '',
  columnId: content.columnId ?? '',
  level: content.level,
  value,
  clause: 'where',
});

/** Whether a mark can be chosen: no filter says what a part of a time, such as all Mondays, or members shown as one stand for. */
export const isSelectable = ({ cells }: Mark): boolean =>
  cells.every(({ field, cell }) => field.part === null && othersOf(cell) === null);

/** The filter that lets through exactly what a cell stands for; null where none does. */
export function filterOnCell(field: Field, cell: Json): Filter | null {
  const { content } = field.placed;
  if (!content?.columnId || field.kind !== 'dimension' || !isSelectable({ cells: [{ field, cell }] })) return null;
  const literal = field.literal(cell);
  if (literal === null) return filterOn(content, '? is null', undefined);
  if (Array.isArray(literal)) return filterOn(content, '? between ?', literal);
  return filterOn(content, '? = ?', literal);
}

/** The condition that a chosen mark sets for other items; null where it stands for nothing to filter by. */
export function conditionOfMark(mark: Mark): Condition | null {
  if (!isSelectable(mark)) return null;
  const of = mark.cells.map(({ field, cell }) => filterOnCell(field, cell)).filter((one) => one !== null);
  const [first] = of;
  return first === undefined ? null : of.length === 1 ? first : { join: 'and', of };
}

/** The condition of some chosen members; none chosen is no condition. */
export const conditionOfChoice = (field: Field, cells: readonly Json[]): Condition | null =>
  choiceOn(field.placed.content, cells);

/** The same for the column of a slot. */
export function choiceOn(content: SlotContent | null, cells: readonly Json[]): Condition | null {
  if (content === null || content.part !== null || cells.length === 0) return null;
  return filterOn(content, '? in ?', cells);
}

/** The condition of a chosen range; ends that are null are open. Days are midnights in UTC: the service takes each as a day of the zone that is asked for. */
export const conditionOfRange = (
  field: Field,
  datetime: boolean,
  from: number | null,
  to: number | null,
): Filter | null => rangeOn(field.placed.content, datetime, from, to);

/** The same for the column of a slot. */
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

/** The condition of a text that members contain, small or capital; an empty one is no condition. */
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

/** Whether two marks stand for the same cells. */
export const sameMark = (one: Mark | null, other: Mark | null): boolean => keyOfMark(one) === keyOfMark(other);

export const keyOfMark = (mark: Mark | null): string =>
  mark === null ? '' : mark.cells.map(({ field, cell }) => `${field.index}:${field.key(cell)}`).join('|');

/** What a mark stands for, as a page is told. */
export const valuesOf = ({
  cells,
}: Mark): readonly { readonly label: string; readonly text: string; readonly value: Json }[] =>
  cells.map(({ field, cell }) => ({ label: field.label, text: field.text(cell), value: field.literal(cell) }));
