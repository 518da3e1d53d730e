import type { Box, Point } from './shapes.ts';

/** Where a point lies on the map, in px from its left and top. */
export interface Projection {
  readonly place: (point: Point) => readonly [x: number, y: number];
  /** Whether something of a box can be seen. */
  readonly shows: (box: Box) => boolean;
  /** Whether all of a box can be seen. */
  readonly holds: (box: Box) => boolean;
}

const [a1, a2, a3, a4] = [1.340_264, -0.081_106, 0.000_893, 0.003_796];
const m = Math.sqrt(3) / 2;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/**
 * The Equal Earth projection (Šavrič, Patterson, Jenny 2018): areas of the same size look the same size, and the poles are lines.
 * Longitudes are counted from `middle`, and lead on beyond 180° instead of starting again.
 */
function equalEarth([longitude, latitude]: Point, middle: number): readonly [number, number] {
  const angle = Math.asin(m * Math.sin(radians(latitude)));
  const [two, six] = [angle ** 2, angle ** 6];
  const slope = a1 + 3 * a2 * two + six * (7 * a3 + 9 * a4 * two);
  return [
    (radians(longitude - middle) * Math.cos(angle)) / (m * slope),
    angle * (a1 + a2 * two + six * (a3 + a4 * two)),
  ];
}

/** The whole world without Antarctica. */
export const world: Box = { west: -169, south: -56, east: 191, north: 83.7 };
/** Beyond so many degrees from west to east, or from south to north, the whole world is shown. */
const [widest, highest] = [200, 110];
/** What is shown at least, in degrees of latitude. */
const leastDegrees = 4;

const clamped = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/** What is shown around a box: a share of it more on each side, or the whole world where it nearly is that. */
export function viewAround({ west, south, east, north }: Box, marginShare: number): Box {
  const [width, height] = [east - west, north - south];
  if (!(width <= widest && height <= highest)) return world;
  const middle = (south + north) / 2;
  const up = Math.max(height * (0.5 + marginShare), leastDegrees / 2);
  const aside = Math.max(width * (0.5 + marginShare), leastDegrees / 2 / Math.cos(radians(clamped(middle, -70, 70))));
  const center = (west + east) / 2;
  return {
    west: center - aside,
    east: center + aside,
    south: clamped(middle - up, -85, 85),
    north: clamped(middle + up, -85, 85),
  };
}

/** A map of a box in the middle of an area of that size in px. Shapes in the middle of a smaller part than the world are as they look from above. */
export function projectionOf(view: Box, widthPx: number, heightPx: number): Projection {
  const middle = (view.west + view.east) / 2;
  const height = (view.south + view.north) / 2;
  const at = (x: number, y: number): readonly [number, number] => equalEarth([x, y], middle);
  // Stretching one way and pressing the other leaves areas as they are.
  const [rightX] = at(middle + 1, height);
  const stretch =
    view === world
      ? 1
      : ((at(middle, height + 0.5)[1] - at(middle, height - 0.5)[1]) * Math.cos(radians(height))) / rightX;
  const equator = clamped(0, view.south, view.north);
  const halfX = at(view.east, equator)[0] * stretch;
  const [bottom, top] = [at(middle, view.south)[1], at(middle, view.north)[1]];
  const scale = Math.min(widthPx / (2 * halfX), heightPx / (top - bottom));
  const place = ([longitude, latitude]: Point): readonly [number, number] => {
    const [x, y] = at(longitude, latitude);
    return [widthPx / 2 + x * stretch * scale, heightPx / 2 - (y - (top + bottom) / 2) * scale];
  };
  const edges = ({ west, south, east, north }: Box): readonly [number, number, number, number] => {
    const latitudes = [south, clamped(0, south, north), north];
    const left = Math.min(...latitudes.map((one) => place([west, one])[0]));
    const right = Math.max(...latitudes.map((one) => place([east, one])[0]));
    return [left, place([middle, north])[1], right, place([middle, south])[1]];
  };
  return {
    place,
    shows: (box) => {
      const [left, upper, right, lower] = edges(box);
      return right >= 0 && left <= widthPx && lower >= 0 && upper <= heightPx;
    },
    holds: (box) => {
      const [left, upper, right, lower] = edges(box);
      return left >= 0 && right <= widthPx && upper >= 0 && lower <= heightPx;
    },
  };
}
