/** Longitude and latitude in degrees. Longitudes run from -169 to 191, so that no country is split. */
export type Point = readonly [longitude: number, latitude: number];

export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Outline of an area, or of a hole in an area, with its bounding box. */
export interface Outline {
  readonly points: readonly Point[];
  readonly box: Box;
}

export interface Shape {
  /** Codes of the area. `Intl` knows the first code. Empty for land that no row can name. */
  readonly codes: readonly string[];
  /** Names that `Intl` does not have. */
  readonly names: readonly string[];
  readonly rings: readonly Outline[];
  /** Bounding box of the mainland of the area, without remote territories. */
  readonly box: Box;
  readonly center: Point;
}

/** Format of a shape file, as written by `scripts/map-shapes.ts`. */
export interface ShapeFile {
  readonly scale: number;
  readonly arcs: string;
  readonly shapes: readonly string[];
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function numbersIn(text: string): readonly number[] {
  const numbers: number[] = [];
  let [value, factor] = [0, 1];
  for (const letter of text) {
    const digit = digits.indexOf(letter);
    value += (digit % 32) * factor;
    factor *= 32;
    if (digit >= 32) continue;
    numbers.push(value % 2 === 0 ? value / 2 : -(value + 1) / 2);
    [value, factor] = [0, 1];
  }
  return numbers;
}

/** Decodes the lines of a file. Coordinates are differences from the previous point, across all lines. */
function linesOf({ arcs, scale }: ShapeFile): readonly (readonly Point[])[] {
  let [x, y] = [0, 0];
  return arcs.split(' ').map((text) => {
    const numbers = numbersIn(text);
    return Array.from({ length: numbers.length / 2 }, (_, index): Point => {
      x += numbers[index * 2] ?? 0;
      y += numbers[index * 2 + 1] ?? 0;
      return [x * scale, y * scale];
    });
  });
}

/** Returns the bounding box of points; an empty box if there are no points. */
export const boxOf = (points: readonly Point[]): Box =>
  points.reduce<Box>(
    ({ west, south, east, north }, [x, y]) => ({
      west: Math.min(west, x),
      south: Math.min(south, y),
      east: Math.max(east, x),
      north: Math.max(north, y),
    }),
    { west: Number.POSITIVE_INFINITY, south: 90, east: Number.NEGATIVE_INFINITY, north: -90 },
  );

export const joined = (a: Box, b: Box): Box => ({
  west: Math.min(a.west, b.west),
  south: Math.min(a.south, b.south),
  east: Math.max(a.east, b.east),
  north: Math.max(a.north, b.north),
});

const sizeOf = ({ west, south, east, north }: Box): number => (east - west) * (north - south);

const gapBetween = (a: Box, b: Box): number =>
  Math.max(a.west - b.east, b.west - a.east, a.south - b.north, b.south - a.north, 0);

/** Maximum distance at which an island belongs to the mainland, as a share of the larger side of the mainland's box. */
const nearShare = 0.15;
/** Minimum size at which a remote area belongs to the mainland, as a share of the largest area. */
const apartShare = 0.25;

/** Returns the bounding box of the mainland: the largest ring, rings near it, and rings that are almost as large. */
function mainBox(rings: readonly Outline[]): Box {
  const boxes = rings.map(({ box }) => box).toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const [largest = boxOf([])] = boxes;
  let joinedBox = largest;
  for (const box of boxes.slice(1)) {
    const nearDegrees = Math.max(joinedBox.east - joinedBox.west, joinedBox.north - joinedBox.south) * nearShare;
    if (gapBetween(joinedBox, box) <= nearDegrees || sizeOf(box) > apartShare * sizeOf(largest))
      joinedBox = joined(joinedBox, box);
  }
  return joinedBox;
}

/** Returns the centroid of a ring. */
function centerOf({ points, box }: Outline): Point {
  let [area, sumX, sumY] = [0, 0, 0];
  for (const [index, [x, y]] of points.entries()) {
    const [nextX, nextY] = points[(index + 1) % points.length] ?? [x, y];
    const cross = x * nextY - nextX * y;
    area += cross;
    sumX += (x + nextX) * cross;
    sumY += (y + nextY) * cross;
  }
  return area === 0 ? [(box.west + box.east) / 2, (box.south + box.north) / 2] : [sumX / area / 3, sumY / area / 3];
}

/** Decodes a shape file. `namesOf` returns additional names of a shape by the first code of the shape. */
export function readShapes(file: ShapeFile, namesOf: (code: string) => readonly string[] = () => []): readonly Shape[] {
  const lines = linesOf(file);
  let lastLine = 0;
  const pointsOf = (ring: string): readonly Point[] =>
    numbersIn(ring).flatMap((number, place) => {
      const isReverse = number % 2 !== 0;
      lastLine += (number - (isReverse ? 1 : 0)) / 2;
      const line = lines[lastLine] ?? [];
      const points = isReverse ? line.toReversed() : line;
      return place === 0 ? points : points.slice(1);
    });
  return file.shapes.map((text) => {
    const [codes = '', lists = ''] = text.split('|');
    const rings = lists.split(' ').map((ring): Outline => {
      const points = pointsOf(ring);
      return { points, box: boxOf(points) };
    });
    const listedCodes = codes.split(' ').filter((code) => code !== '');
    const [largest] = rings.toSorted((a, b) => sizeOf(b.box) - sizeOf(a.box));
    return {
      codes: listedCodes,
      names: namesOf(listedCodes[0] ?? ''),
      rings,
      box: mainBox(rings),
      center: largest === undefined ? [0, 0] : centerOf(largest),
    };
  });
}
