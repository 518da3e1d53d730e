/** The rows of a table that are in the DOM. Spacers take the place of all other rows. */
export interface Window {
  readonly first: number;
  readonly last: number;
}

/** Scroll offset, visible height and row height of a table, in px. */
export interface Sight {
  readonly scrollPx: number;
  readonly heightPx: number;
  readonly rowPx: number;
}

const step = 4;
/** Tables with up to this many rows are rendered in full, so that browsers can search and print them. */
const wholeRows = 200;
/** Overscan: number of rows that are rendered before the first and after the last visible row. */
const overscanRows = 8;

/**
 * Returns the rows to render: the visible rows with overscan. The first rendered row is a multiple of four. Small
 * tables are rendered in full.
 */
export function windowAt({ scrollPx, heightPx, rowPx }: Sight, rows: number, overscan = overscanRows): Window {
  if (rows <= wholeRows) return { first: 0, last: rows };
  const maxRows = Math.ceil(heightPx / rowPx) + 2 * overscan + step;
  const preferredRow = Math.floor(Math.max(0, scrollPx / rowPx - overscan) / step) * step;
  const firstRow = Math.max(0, Math.min(preferredRow, rows - maxRows));
  return { first: firstRow, last: Math.min(rows, firstRow + maxRows) };
}

/**
 * Returns how far the key shift changes from one window to the next. If the windows have few rows in common, the
 * elements are reused for other rows.
 */
export const shiftBetween = (before: Window, after: Window): number =>
  Math.abs(after.first - before.first) * 2 > before.last - before.first ? after.first - before.first : 0;

/** Returns the first and the last row that are visible between header and totals, counted from 1. */
export function seenRows({ scrollPx, heightPx, rowPx }: Sight, rows: number): readonly [number, number] {
  const from = Math.min(rows, Math.floor(Math.max(0, scrollPx) / rowPx + 0.5) + 1);
  return [from, Math.min(rows, Math.max(from, Math.floor((Math.max(0, scrollPx) + heightPx) / rowPx + 0.5)))];
}
