import type { Projection } from './projection.ts';
import type { Shape } from './shapes.ts';

const written = (px: number): string => String(Math.round(px * 10) / 10);

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
  return `M${written(x - dotPx)},${written(y)}a${dotPx},${dotPx} 0 1,0 ${2 * dotPx},0a${dotPx},${dotPx} 0 1,0 ${-2 * dotPx},0Z`;
}

/** SVG path of an area's outline; empty if it is not visible. */
export function outlineOf({ rings }: Shape, projection: Projection): string {
  const parts = rings.flatMap((ring) => {
    if (!projection.shows(ring.box)) return [];
    const path: string[] = [];
    let last: readonly [number, number] | null = null;
    for (const point of ring.points) {
      const [x, y] = projection.place(point);
      if (last !== null && Math.abs(x - last[0]) < leastPx && Math.abs(y - last[1]) < leastPx) continue;
      path.push(`${written(x)},${written(y)}`);
      last = [x, y];
    }
    return path.length < 3 ? [] : [`M${path.join('L')}Z`];
  });
  return parts.join('');
}
