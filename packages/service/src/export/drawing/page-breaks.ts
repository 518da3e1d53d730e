/** The vertical position and height of an item in px. */
export interface Extent {
  readonly y: number;
  readonly height: number;
}

/**
 * The part of a dashboard on one page, from `top` to `bottom` in px. `scale` is below 1 if the part is higher than the
 * page.
 */
export interface PagePart {
  readonly top: number;
  readonly bottom: number;
  readonly scale: number;
}

/** A height in px smaller than any item. */
const leastPx = 1;

/**
 * Breaks a dashboard of `heightPx` into pages, never within an item. An item higher than a page gets a page of its own
 * and is scaled down. `roomOf` returns the available height in px of a page, counted from 0.
 */
export function pageBreaks(
  extents: readonly Extent[],
  heightPx: number,
  roomOf: (page: number) => number,
): readonly PagePart[] {
  const cuts = [...new Set([...extents.flatMap(({ y, height }) => [y, y + height]), heightPx])]
    .filter((cutPx) => extents.every(({ y, height }) => cutPx <= y || cutPx >= y + height))
    .toSorted((firstCut, secondCut) => firstCut - secondCut);
  const parts: PagePart[] = [];
  for (let top = 0; top < heightPx - leastPx;) {
    const room = roomOf(parts.length);
    const cutsAfter = cuts.filter((cutPx) => cutPx > top + leastPx);
    const bottom = cutsAfter.findLast((cutPx) => cutPx <= top + room) ?? cutsAfter[0] ?? heightPx;
    const isEmpty = extents.every(({ y, height }) => y >= bottom || y + height <= top);
    if (!isEmpty) parts.push({ top, bottom, scale: Math.min(1, room / (bottom - top)) });
    top = bottom;
  }
  return parts;
}
