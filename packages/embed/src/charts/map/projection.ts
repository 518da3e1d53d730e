import type { Box, Point } from './shapes.ts';

/** Converts points to px from the left and top edge of the map. */
export interface Projection {
  readonly place: (point: Point) => readonly [x: number, y: number];
  /** True if any part of a box is visible. */
  readonly shows: (box: Box) => boolean;
  /** True if a box is completely visible. */
  readonly holds: (box: Box) => boolean;
}

const [a1, a2, a3, a4] = [1.340_264, -0.081_106, 0.000_893, 0.003_796];
const m = Math.sqrt(3) / 2;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/**
 * Projects a point by the equal-area projection Equal Earth (Šavrič, Patterson, Jenny 2018), in which the poles are
 * lines. Longitudes are relative to `middle` and continue beyond 180° instead of wrapping around.
 */
function equalEarth([longitude, latitude]: Point, middle: number): readonly [number, number] {
  const angle = Math.asin(m * Math.sin(radians(latitude)));
  const [squared, sixthPower] = [angle ** 2, angle ** 6];
  const slope = a1 + 3 * a2 * squared + sixthPower * (7 * a3 + 9 * a4 * squared);
  return [
    (radians(longitude - middle) * Math.cos(angle)) / (m * slope),
    angle * (a1 + a2 * squared + sixthPower * (a3 + a4 * squared)),
  ];
}

/** The whole world without Antarctica. */
export const world: Box = { west: -169, south: -56, east: 191, north: 83.7 };
/** Maximum width and height of a map section, in degrees. If an extent is larger, the map shows the whole world. */
const [widest, highest] = [200, 110];
/** Minimum height of a map section, in degrees of latitude. */
const leastDegrees = 4;

const clamped = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);

/** Extends a box by a margin on each side. Returns the whole world if the box is too large for a map section. */
export function viewAround({ west, south, east, north }: Box, marginShare: number): Box {
  const [width, height] = [east - west, north - south];
  if (!(width <= widest && height <= highest)) return world;
  const middle = (south + north) / 2;
  const halfHeight = Math.max(height * (0.5 + marginShare), leastDegrees / 2);
  const halfWidth = Math.max(
    width * (0.5 + marginShare),
    leastDegrees / 2 / Math.cos(radians(clamped(middle, -70, 70))),
  );
  const center = (west + east) / 2;
  return {
    west: center - halfWidth,
    east: center + halfWidth,
    south: clamped(middle - halfHeight, -85, 85),
    north: clamped(middle + halfHeight, -85, 85),
  };
}

/**
 * Fits a box into the centre of a map of this size, in px. Shapes at the centre are undistorted, except on the world
 * map.
 */
export function projectionOf(view: Box, widthPx: number, heightPx: number): Projection {
  const middle = (view.west + view.east) / 2;
  const height = (view.south + view.north) / 2;
  const at = (x: number, y: number): readonly [number, number] => equalEarth([x, y], middle);
  // Areas keep their size if one direction is stretched and the other compressed.
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
    const left = Math.min(...latitudes.map((latitude) => place([west, latitude])[0]));
    const right = Math.max(...latitudes.map((latitude) => place([east, latitude])[0]));
    return [left, place([middle, north])[1], right, place([middle, south])[1]];
  };
  return {
    place,
    shows: (box) => {
      const [leftPx, topPx, rightPx, bottomPx] = edges(box);
      return rightPx >= 0 && leftPx <= widthPx && bottomPx >= 0 && topPx <= heightPx;
    },
    holds: (box) => {
      const [leftPx, topPx, rightPx, bottomPx] = edges(box);
      return leftPx >= 0 && rightPx <= widthPx && topPx >= 0 && bottomPx <= heightPx;
    },
  };
}
