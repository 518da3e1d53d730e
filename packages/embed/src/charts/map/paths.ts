import type { Projection } from './projection.ts';
import type { Shape } from './shapes.ts';

const written = (px: number): string => String(Math.round(px * 10) / 10);

/** Points that are nearer than that to the last one are left out, in px. */
const leastPx = 0.6;
/** Areas that are smaller than that are drawn as a dot, in px. */
const dotBelowPx = 5;
const dotPx = 3;

/** Whether an area is too small to be seen by its outline. */
export function isDot({ box }: Shape, projection: Projection): boolean {
  const [left, top] = projection.place([box.west, box.north]);
  const [right, bottom] = projection.place([box.east, box.south]);
  return Math.max(right - left, bottom - top) < dotBelowPx && projection.shows(box);
}

/** A dot in the middle of an area, as the path of an SVG. */
export function dotOf({ center }: Shape, projection: Projection): string {
  const [x, y] = projection.place(center);
  return `M${written(x - dotPx)},${written(y)}a${dotPx},${dotPx} 0 1,0 ${2 * dotPx},0a${dotPx},${dotPx} 0 1,0 ${-2 * dotPx},0Z`;
}

/** The outline of an area as the path of an SVG; empty where it cannot be seen. */
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
