import { finestLevel, othersOf, type Json, filterOn, type Condition, type Filter, type Step } from '@inlay/contract';
import type { Field } from './charts/frame/frame.ts';
import type { Mark } from './charts/frame/mark.ts';

/**
 * True if a mark can filter other items. Filters cannot match parts of times, such as all Mondays, or grouped members.
 */
export const isSelectable = ({ cells }: Mark): boolean =>
  cells.every(({ field, cell }) => field.part === null && othersOf(cell) === null);

/** Returns the filter that matches exactly the value of a cell; null if there is no such filter. */
export function filterOnCell(field: Field, cell: Json): Filter | null {
  const { content } = field.placed;
  if (!content?.columnId || field.kind !== 'dimension' || !isSelectable({ cells: [{ field, cell }] })) return null;
  const literal = field.literal(cell);
  if (literal === null) return filterOn(content, '? is null', undefined);
  if (Array.isArray(literal)) return filterOn(content, '? between ?', literal);
  return filterOn(content, '? = ?', literal);
}

/** Returns the condition that a selected mark sets for the other items; null if it sets none. */
export function conditionOfMark(mark: Mark): Condition | null {
  if (!isSelectable(mark)) return null;
  const filters = mark.cells.map(({ field, cell }) => filterOnCell(field, cell)).filter((filter) => filter !== null);
  const [firstFilter] = filters;
  return firstFilter === undefined ? null : filters.length === 1 ? firstFilter : { join: 'and', of: filters };
}

export const sameMark = (a: Mark | null, b: Mark | null): boolean => keyOfMark(a) === keyOfMark(b);

export const keyOfMark = (mark: Mark | null): string =>
  mark === null ? '' : mark.cells.map(({ field, cell }) => `${field.index}:${field.key(cell)}`).join('|');

/** Returns the values of a mark in the format of page events. */
export const valuesOf = ({
  cells,
}: Mark): readonly { readonly label: string; readonly text: string; readonly value: Json }[] =>
  cells.map(({ field, cell }) => ({ label: field.label, text: field.text(cell), value: field.literal(cell) }));

/**
 * Returns the drill step of a mark: to the next finer level of its first datetime or hierarchy dimension. Null if no
 * dimension has a finer level.
 */
export function stepInto(mark: Mark): Step | null {
  for (const { field, cell } of mark.cells) {
    const { content } = field.placed;
    const finest = content === null ? null : finestLevel(content);
    const isDeeper = content !== null && finest !== null && (content.level ?? finest) < finest;
    const filter = isDeeper ? filterOnCell(field, cell) : null;
    if (filter !== null && content !== null && content.columnId !== null)
      return { columnId: content.columnId, level: (content.level ?? 1) + 1, filter, text: field.text(cell) };
  }
  return null;
}
