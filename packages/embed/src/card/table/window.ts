/** Rows of a table that are in the page; the others are room above and below. */
export interface Window {
  readonly first: number;
  readonly last: number;
}

/** How far a table is scrolled, the height of what a viewer sees of it, and that of a row, in px. */
export interface Sight {
  readonly scrollPx: number;
  readonly heightPx: number;
  readonly rowPx: number;
}

const step = 4;
/** Tables of so many rows are in the page as a whole, where a viewer finds texts in them and prints them. */
const wholeRows = 200;
/** Rows before and after those in sight. */
const besidesRows = 8;

/** The rows in sight with some before and after, so that scrolling finds them there; it begins at every fourth row alone. Small tables are whole. */
export function windowAt({ scrollPx, heightPx, rowPx }: Sight, rows: number, besides = besidesRows): Window {
  if (rows <= wholeRows) return { first: 0, last: rows };
  const most = Math.ceil(heightPx / rowPx) + 2 * besides + step;
  const wanted = Math.floor(Math.max(0, scrollPx / rowPx - besides) / step) * step;
  const first = Math.max(0, Math.min(wanted, rows - most));
  return { first, last: Math.min(rows, first + most) };
}

/** By how much more the keys of rows are shifted: where few rows stay in the page, their elements show the others. */
export const shiftBetween = (before: Window, after: Window): number =>
  Math.abs(after.first - before.first) * 2 > before.last - before.first ? after.first - before.first : 0;

/** The rows that a viewer sees, without those that heads and totals cover; from 1. */
export function seenRows({ scrollPx, heightPx, rowPx }: Sight, rows: number): readonly [number, number] {
  const from = Math.min(rows, Math.floor(Math.max(0, scrollPx) / rowPx + 0.5) + 1);
  return [from, Math.min(rows, Math.max(from, Math.floor((Math.max(0, scrollPx) + heightPx) / rowPx + 0.5)))];
}
