import { isList, type Json } from '@inlay/contract';
import type { Field } from '../frame/frame.ts';

/** Returns the sort key of a cell: a number or a text. A null key comes last, in ascending and in descending order. */
function sortKey(field: Field, cell: Json | undefined): number | string | null {
  if (cell === undefined || cell === null) return null;
  if (isList(cell)) return field.number(cell[0]);
  const { content } = field.placed;
  const isCounted = field.kind === 'measure' || field.part !== null || content?.type === 'numeric';
  const isTime = content?.type === 'datetime' && typeof cell === 'string';
  return (isCounted || isTime ? field.number(cell) : null) ?? field.text(cell);
}

/**
 * Sorts cells and returns their indexes in sorted order. Numbers and times are sorted by value, texts by the rules of
 * the locale. Empty cells come last. The sort is stable.
 */
export function orderOf(
  field: Field,
  cells: readonly (Json | undefined)[],
  { locale, isDescending }: { readonly locale: string; readonly isDescending: boolean },
): readonly number[] {
  const { compare } = new Intl.Collator(locale, { numeric: true });
  const keys = cells.map((cell) => sortKey(field, cell));
  const turn = isDescending ? -1 : 1;
  const between = (a: number | string, b: number | string): number =>
    typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b));
  return Array.from(keys.keys()).sort((a, b) => {
    const [firstKey = null, secondKey = null] = [keys[a], keys[b]];
    if (firstKey === null || secondKey === null) return firstKey === secondKey ? a - b : firstKey === null ? 1 : -1;
    return turn * between(firstKey, secondKey) || a - b;
  });
}
