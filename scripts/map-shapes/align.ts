import { areaOf, type Point } from './topology.ts';

type Rings = readonly (readonly Point[])[];

const keyOf = ([x, y]: Point): string => `${x} ${y}`;

/** Beyond that area between two lines they are no longer the same border, in square degrees. */
const maxBetween = 0.05;

/** Where two areas meet, their files may have other points of one border: both take the line that has more of them. */
export function aligned(areas: ReadonlyMap<string, Rings>): ReadonlyMap<string, Rings> {
  const owners = new Map<string, Set<string>>();
  for (const [code, rings] of areas)
    for (const point of rings.flat()) owners.set(keyOf(point), (owners.get(keyOf(point)) ?? new Set()).add(code));
  const isShared = (point: Point): boolean => (owners.get(keyOf(point))?.size ?? 0) > 1;
  const linesOf = (ring: readonly Point[]): Rings => {
    const open = ring.slice(0, -1);
    const start = open.findIndex(isShared);
    if (start === -1) return [ring];
    const turned = [...open.slice(start), ...open.slice(0, start + 1)];
    const lines: Point[][] = [];
    for (const [place, point] of turned.entries()) {
      lines.at(-1)?.push(point);
      if (place < turned.length - 1 && (place === 0 || isShared(point))) lines.push([point]);
    }
    return lines;
  };
  const best = new Map<string, readonly Point[]>();
  const matching = (line: readonly Point[]): { readonly key: string; readonly isReverse: boolean } => {
    const [first, last] = [keyOf(line[0] ?? [0, 0]), keyOf(line.at(-1) ?? [0, 0])];
    return { key: [first, last].toSorted().join(','), isReverse: first > last };
  };
  const cut = [...areas].map(([code, rings]) => ({ code, rings: rings.map(linesOf) }));
  for (const line of cut.flatMap(({ rings }) => rings.flat())) {
    const { key, isReverse } = matching(line);
    if (line.length > (best.get(key)?.length ?? 0)) best.set(key, isReverse ? line.toReversed() : line);
  }
  const replaced = (line: readonly Point[]): readonly Point[] => {
    const { key, isReverse } = matching(line);
    const found = best.get(key) ?? line;
    const other = isReverse ? found.toReversed() : found;
    return areaOf([...line, ...other.toReversed()]) < maxBetween ? other : line;
  };
  return new Map(
    cut.map(({ code, rings }) => [
      code,
      rings.map((lines) =>
        lines.length === 1
          ? (lines[0] ?? [])
          : lines.flatMap((line, place) => replaced(line).slice(place === 0 ? 0 : 1)),
      ),
    ]),
  );
}
