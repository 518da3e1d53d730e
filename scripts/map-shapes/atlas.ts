import type { Point } from './topology.ts';

/** A file of TopoJSON as the atlas packages have them. */
export interface Atlas {
  readonly transform: { readonly scale: Point; readonly translate: Point };
  readonly arcs: readonly (readonly Point[])[];
  readonly objects: Readonly<
    Record<
      string,
      {
        readonly geometries: readonly {
          readonly id?: string;
          readonly properties: { readonly name: string };
          readonly arcs: unknown;
        }[];
      }
    >
  >;
}

/** Where maps are cut: through the Bering Strait, so that no country is in two parts. */
const westEnd = -169;

const isRing = (given: unknown): given is readonly number[] =>
  Array.isArray(given) && given.every((one) => typeof one === 'number');

/** Returns the rings of a polygon or of several, however deep they lie. */
export const ringsOf = (given: unknown): readonly (readonly number[])[] =>
  isRing(given) ? [given] : Array.isArray(given) ? given.flatMap(ringsOf) : [];

/** Returns a line from degrees west of the end of the map to those east of it, without a jump. */
export function unwrapped(line: readonly Point[]): readonly Point[] {
  const moved = line.map(([x, y]): Point => [x < westEnd ? x + 360 : x, y]);
  const xs = moved.map(([x]) => x);
  return Math.max(...xs) - Math.min(...xs) > 180 ? moved.map(([x, y]) => [x < 0 ? x + 360 : x, y]) : moved;
}

/** Returns the lines of an atlas in degrees. */
export function atlasLines({ transform: { scale, translate }, arcs }: Atlas): readonly (readonly Point[])[] {
  return arcs.map((line) => {
    let [x, y] = [0, 0];
    return unwrapped(
      line.map(([dx, dy]): Point => {
        [x, y] = [x + dx, y + dy];
        return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
      }),
    );
  });
}
