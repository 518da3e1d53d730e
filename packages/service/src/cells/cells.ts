import { isList, isObject, type Json } from '@inlay/contract';
import { isExactNumber } from './exact-numbers.ts';

/**
 * Kinds of cells as bits. A column has the bits of all its cells. `any` is text that may stand for any kind, as in CSV.
 */
export const cellKinds = { text: 1, number: 2, boolean: 4, json: 8, any: 16 } as const;

/** Returns the kind of a cell as a bit of `cellKinds`; 0 for a cell without a value. */
export function kindOf(cell: Json): number {
  if (cell === null) return 0;
  if (typeof cell === 'string') return cellKinds.text;
  if (typeof cell === 'boolean') return cellKinds.boolean;
  return typeof cell === 'number' || isExactNumber(cell) ? cellKinds.number : cellKinds.json;
}

/**
 * Returns the text of a cell; null for a cell without a value. Objects and lists become JSON. Raises RangeError if they
 * are nested too deeply.
 */
export function textOf(cell: Json): string | null {
  if (cell === null) return null;
  if (isExactNumber(cell)) return cell.number;
  return isObject(cell) || isList(cell) ? JSON.stringify(cell) : String(cell);
}

/** Adds the kinds of a row's cells to the kinds of their columns, up to `maxColumns` columns. */
export function addKinds(kinds: number[], cells: readonly Json[], maxColumns: number): void {
  const width = Math.min(cells.length, maxColumns);
  for (let place = 0; place < width; place += 1) kinds[place] = (kinds[place] ?? 0) | kindOf(cells[place] ?? null);
}
