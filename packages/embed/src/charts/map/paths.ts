import type { Projection } from './projection.ts';
import type { Shape } from './shapes.ts';

const rounded = (px: number): string => String(Math.round(px * 10) / 10);

/** Points closer than this to the previous point are dropped. */
const leastPx = 0.6;
/** Areas smaller than this are drawn as dots. */
const dotBelowPx = 5;
const dotPx = 3;

/** True if an area is too small for an outline. */
export function isDot({ box }: Shape, projection: Projection): boolean {
  const [left, top] = projection.place([box.west, box.north]);
  const [right, bottom] = projection.place([box.east, box.south]);
  return Math.max(right - left, bottom - top) < dotBelowPx && projection.shows(box);
}

/** SVG path of a dot at the centre of an area. */
export function dotOf({ center }: Shape, projection: Projection): string {
  const [x, y] = projection.place(center);
  return `M${rounded(x - dotPx)},${rounded(y)}a${dotPx},${dotPx} 0 1,0 ${2 * dotPx},0a${dotPx},${dotPx} 0 1,0 ${-2 * dotPx},0Z`;
}

/** SVG path of an area's outline; empty if it is not visible. */
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
