/** Longitude and latitude in degrees. */
export type Point = readonly [longitude: number, latitude: number];

/** Lines that shapes share, and the rings of each shape: numbers of lines, `~number` where one runs backwards. */
export interface Topology {
  readonly arcs: readonly (readonly Point[])[];
  readonly shapes: readonly {
    readonly codes: readonly string[];
    readonly names?: readonly string[];
    readonly rings: readonly (readonly number[])[];
  }[];
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Returns the area of a triangle in square degrees of the equator. */
const triangle = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): number =>
  (Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2) * Math.cos(radians((ay + by + cy) / 3));

/** Returns the points of the rings of arcs in order, each ring closed by its first point. */
export const pointsOf = (arcs: Topology['arcs'], ring: readonly number[]): readonly Point[] =>
  ring.flatMap((number, place) => {
    const arc = arcs[number < 0 ? ~number : number] ?? [];
    const points = number < 0 ? arc.toReversed() : arc;
    return place === 0 ? points : points.slice(1);
  });

/** Returns the area of a ring in square degrees of the equator. */
export function areaOf(points: readonly Point[]): number {
  const middle = points.reduce((sum, [, y]) => sum + y, 0) / Math.max(1, points.length);
  const twice = points.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = points[(index + 1) % points.length] ?? [x, y];
    return sum + x * nextY - nextX * y;
  }, 0);
  return (Math.abs(twice) / 2) * Math.cos(radians(middle));
}

/**
 * Returns a line without the points that matter least (Visvalingam), its ends kept; one that is closed keeps a
 * triangle.
 */
export function simplified(line: readonly Point[], leastArea: number): readonly Point[] {
  const points = [...line];
  const [first, last] = [points[0], points.at(-1)];
  const isClosed = first !== undefined && last !== undefined && first[0] === last[0] && first[1] === last[1];
  const fewest = isClosed ? 4 : 2;
  while (points.length > fewest) {
    let [place, least] = [0, leastArea];
    for (let index = 1; index < points.length - 1; index += 1) {
      const [before, at, after] = [points[index - 1], points[index], points[index + 1]];
      const area = before && at && after ? triangle(before, at, after) : leastArea;
      if (area < least) [place, least] = [index, area];
    }
    if (place === 0) break;
    points.splice(place, 1);
  }
  return points;
}

/**
 * Returns a topology with simpler lines and without small islands; a shape keeps its largest ring whatever its size.
 */
export function simpler({ arcs, shapes }: Topology, leastArea: number, leastIsland: number): Topology {
  const kept = shapes.map(({ rings, ...shape }) => {
    const areas = rings.map((ring) => areaOf(pointsOf(arcs, ring)));
    const largest = Math.max(...areas);
    return { ...shape, rings: rings.filter((_, place) => (areas[place] ?? 0) >= Math.min(leastIsland, largest)) };
  });
  const used = [...new Set(kept.flatMap(({ rings }) => rings.flat().map((one) => (one < 0 ? ~one : one))))];
  const places = new Map(used.map((old, place) => [old, place]));
  const moved = (one: number): number => (one < 0 ? ~(places.get(~one) ?? 0) : (places.get(one) ?? 0));
  return {
    arcs: used.map((old) => simplified(arcs[old] ?? [], leastArea)),
    shapes: kept.map(({ rings, ...shape }) => ({ ...shape, rings: rings.map((ring) => ring.map(moved)) })),
  };
}
