import { finestLevel, othersOf, type Json, filterOn, type Condition, type Filter, type Step } from '@inlay/contract';
import type { Field } from './charts/frame/frame.ts';
import type { Mark } from './charts/frame/mark.ts';

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

/** Whether two marks stand for the same cells. */
export const sameMark = (one: Mark | null, other: Mark | null): boolean => keyOfMark(one) === keyOfMark(other);

export const keyOfMark = (mark: Mark | null): string =>
  mark === null ? '' : mark.cells.map(({ field, cell }) => `${field.index}:${field.key(cell)}`).join('|');

/** What a mark stands for, as a page is told. */
export const valuesOf = ({
  cells,
}: Mark): readonly { readonly label: string; readonly text: string; readonly value: Json }[] =>
  cells.map(({ field, cell }) => ({ label: field.label, text: field.text(cell), value: field.literal(cell) }));

/** The step that a mark allows: into the next finer level of its first dated or levelled dimension; null where there is none. */
export function stepInto(mark: Mark): Step | null {
  for (const { field, cell } of mark.cells) {
    const { content } = field.placed;
    const finest = content === null ? null : finestLevel(content);
    const deeper = content !== null && finest !== null && (content.level ?? finest) < finest;
    const filter = deeper ? filterOnCell(field, cell) : null;
    if (filter !== null && content !== null && content.columnId !== null)
      return { columnId: content.columnId, level: (content.level ?? 1) + 1, filter, text: field.text(cell) };
  }
  return null;
}
