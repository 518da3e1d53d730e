import { isObject, type Json } from '@inlay/contract';
import type { Kept, Scalar } from '@inlay/query';

const dateForm = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/u;
const timeForm = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/u;
const zonedForm = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)$/u;

/** How one cell would be kept; null says nothing about its column. */
function keptOfCell(cell: Json): Kept | null {
  if (cell === null || cell === '') return null;
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? 'integer' : 'double';
  if (typeof cell === 'boolean') return 'boolean';
  if (typeof cell !== 'string') return 'json';
  const isTime = (form: RegExp): boolean => form.test(cell) && !Number.isNaN(Date.parse(cell.slice(0, 10)));
  if (isTime(dateForm)) return 'date';
  if (isTime(timeForm)) return 'timestamp';
  return isTime(zonedForm) ? 'timestamptz' : 'text';
}

/** What holds both. */
function wider(one: Kept, other: Kept): Kept {
  if (one === other) return one;
  const has = (kept: Kept): boolean => one === kept || other === kept;
  if (has('integer') && has('double')) return 'double';
  if (has('date') && has('timestamp')) return 'timestamp';
  return 'text';
}

/** How a column is kept once it has one more cell; null where nothing is known yet. */
export function widenedBy(found: Kept | null, cell: Json): Kept | null {
  if (found === 'text') return found;
  const kept = keptOfCell(cell);
  return kept === null ? found : found === null ? kept : wider(found, kept);
}

/** How a column of cells is kept: the narrowest that holds every one of them; text where there is nothing to go by. */
export function keptOfCells(cells: Iterable<Json>): Kept {
  let found: Kept | null = null;
  for (const cell of cells) {
    found = widenedBy(found, cell);
    if (found === 'text') return 'text';
  }
  return found ?? 'text';
}

/** A cell as the engine takes it; objects and lists as JSON text. An empty text is one only in a column of texts. */
export function scalarOf(cell: Json, kept: Kept): Scalar {
  if (cell === '' && kept !== 'text') return null;
  return cell !== null && (isObject(cell) || Array.isArray(cell)) ? JSON.stringify(cell) : isScalar(cell) ? cell : null;
}

const isScalar = (cell: Json): cell is Scalar => cell === null || typeof cell !== 'object';
