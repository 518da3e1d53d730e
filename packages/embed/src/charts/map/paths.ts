import type { Projection } from './projection.ts';
import type { Shape } from './shapes.ts';

const rounded = (px: number): string => String(Math.round(px * 10) / 10);

/** A point is dropped if it is closer than this to the previous point. */
const leastPx = 0.6;
/** An area is drawn as a dot if it is smaller than this. */
const dotBelowPx = 5;
const dotPx = 3;

/** True if an area is too small to be drawn as an outline. */
export function isDot({ box }: Shape, projection: Projection): boolean {
  const [left, top] = projection.place([box.west, box.north]);
  const [right, bottom] = projection.place([box.east, box.south]);
  return Math.max(right - left, bottom - top) < dotBelowPx && projection.shows(box);
}

/** Returns the SVG path of a dot at the centre of an area. */
export function dotOf({ center }: Shape, projection: Projection): string {
  const [x, y] = projection.place(center);
  return `M${rounded(x - dotPx)},${rounded(y)}a${dotPx},${dotPx} 0 1,0 ${2 * dotPx},0a${dotPx},${dotPx} 0 1,0 ${-2 * dotPx},0Z`;
}

/** Returns the SVG path of an area's outline; empty if no part of the area is visible. */
export function outlineOf({ rings }: Shape, projection: Projection): string {
  const parts = rings.flatMap((ring) => {
    if (!projection.shows(ring.box)) return [];
    const path: string[] = [];
    let lastPoint: readonly [number, number] | null = null;
    for (const point of ring.points) {
      const [x, y] = projection.place(point);
      if (lastPoint !== null && Math.abs(x - lastPoint[0]) < leastPx && Math.abs(y - lastPoint[1]) < leastPx) continue;
      path.push(`${rounded(x)},${rounded(y)}`);
      lastPoint = [x, y];
    }
    return path.length < 3 ? [] : [`M${path.join('L')}Z`];
  });
  return parts.join('');
}
