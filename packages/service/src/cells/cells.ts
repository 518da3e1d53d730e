import { isList, isObject, type Json } from '@inlay/contract';
import { isExactNumber } from './exact-numbers.ts';

/** Kinds of cells as bits: a column combines those of its cells. `any` is text that can be any kind, as in CSV. */
export const cellKinds = { text: 1, number: 2, boolean: 4, json: 8, any: 16 } as const;

/** Returns the kind of a cell as a bit of `cellKinds`; 0 without a value. */
export function kindOf(cell: Json): number {
  if (cell === null) return 0;
  if (typeof cell === 'string') return cellKinds.text;
  if (typeof cell === 'boolean') return cellKinds.boolean;
  return typeof cell === 'number' || isExactNumber(cell) ? cellKinds.number : cellKinds.json;
}

/**
 * Returns the text of a cell; objects and lists as JSON. Raises RangeError if they are nested too deeply; null for no
 * value.
 */
export function textOf(cell: Json): string | null {
  if (cell === null) return null;
  if (isExactNumber(cell)) return cell.number;
  return isObject(cell) || isList(cell) ? JSON.stringify(cell) : String(cell);
}

/** Adds the kinds of a row's cells to those of its columns, up to `maxColumns` columns. */
export function addKinds(kinds: number[], cells: readonly Json[], maxColumns: number): void {
  const width = Math.min(cells.length, maxColumns);
  for (let place = 0; place < width; place += 1) kinds[place] = (kinds[place] ?? 0) | kindOf(cells[place] ?? null);
}
