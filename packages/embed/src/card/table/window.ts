/** The rows of a table that are in the DOM; spacers replace the others. */
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
/** Tables up to this size are rendered in full, so that the page can be searched and printed. */
const wholeRows = 200;
/** Overscan: rows rendered before and after the visible ones. */
const overscanRows = 8;

/**
 * Returns the rows to render: the visible ones with overscan, aligned to every fourth row. Small tables are rendered in
 * full.
 */
export function windowAt({ scrollPx, heightPx, rowPx }: Sight, rows: number, overscan = overscanRows): Window {
  if (rows <= wholeRows) return { first: 0, last: rows };
  const maxRows = Math.ceil(heightPx / rowPx) + 2 * overscan + step;
  const preferredRow = Math.floor(Math.max(0, scrollPx / rowPx - overscan) / step) * step;
  const firstRow = Math.max(0, Math.min(preferredRow, rows - maxRows));
  return { first: firstRow, last: Math.min(rows, firstRow + maxRows) };
}

/** Change of the key shift between two windows: if few rows remain, their elements are reused for other rows. */
export const shiftBetween = (before: Window, after: Window): number =>
  Math.abs(after.first - before.first) * 2 > before.last - before.first ? after.first - before.first : 0;

/** First and last row visible between header and totals, counted from 1. */
export function seenRows({ scrollPx, heightPx, rowPx }: Sight, rows: number): readonly [number, number] {
  const from = Math.min(rows, Math.floor(Math.max(0, scrollPx) / rowPx + 0.5) + 1);
  return [from, Math.min(rows, Math.max(from, Math.floor((Math.max(0, scrollPx) + heightPx) / rowPx + 0.5)))];
}
