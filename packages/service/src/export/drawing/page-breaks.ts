/** The vertical position of an item in px. */
export interface Extent {
  readonly y: number;
  readonly height: number;
}

/** What of a dashboard is on one page: from `top` to `bottom`, at `scale` where it would not fit otherwise. */
export interface PagePart {
  readonly top: number;
  readonly bottom: number;
  readonly scale: number;
}

/** Shorter than an item of one row. */
const leastPx = 1;

/**
 * Breaks a dashboard of `heightPx` into pages, never within an item. Items that are higher than a page are on a page of their own,
 * made smaller. `roomOf` is the height in px that a page has for items, by its number from 0.
 */
export function pageBreaks(
  extents: readonly Extent[],
  heightPx: number,
  roomOf: (page: number) => number,
): readonly PagePart[] {
  const cuts = [...new Set([...extents.flatMap(({ y, height }) => [y, y + height]), heightPx])]
    .filter((cut) => extents.every(({ y, height }) => cut <= y || cut >= y + height))
    .toSorted((one, other) => one - other);
  const parts: PagePart[] = [];
  for (let top = 0; top < heightPx - leastPx;) {
    const room = roomOf(parts.length);
    const after = cuts.filter((cut) => cut > top + leastPx);
    const bottom = after.findLast((cut) => cut <= top + room) ?? after[0] ?? heightPx;
    const isEmpty = extents.every(({ y, height }) => y >= bottom || y + height <= top);
    if (!isEmpty) parts.push({ top, bottom, scale: Math.min(1, room / (bottom - top)) });
    top = bottom;
  }
  return parts;
}
