import { aligned } from './align.ts';
import type { Point, Topology } from './topology.ts';

/** Areas by the codes of what they are parts of, each with its rings. */
export type Areas = ReadonlyMap<string, readonly (readonly Point[])[]>;

const keyOf = ([x, y]: Point): string => `${x} ${y}`;

/** Rings around all areas together: an edge that two of them have, each its own way, is within. */
function outerRings(rings: readonly (readonly Point[])[]): readonly (readonly Point[])[] {
  const edges = new Map<string, readonly [from: Point, to: Point]>();
  for (const ring of rings)
    for (const [place, from] of ring.slice(0, -1).entries()) {
      const to = ring[place + 1] ?? from;
      const back = `${keyOf(to)},${keyOf(from)}`;
      if (edges.has(back)) edges.delete(back);
      else if (keyOf(from) !== keyOf(to)) edges.set(`${keyOf(from)},${keyOf(to)}`, [from, to]);
    }
  const starts = new Map<string, (readonly [from: Point, to: Point])[]>();
  for (const edge of edges.values()) starts.set(keyOf(edge[0]), [...(starts.get(keyOf(edge[0])) ?? []), edge]);
  const closed: Point[][] = [];
  for (const first of edges.values()) {
    if (!(starts.get(keyOf(first[0])) ?? []).includes(first)) continue;
    const ring: Point[] = [first[0]];
    let at: Point = first[0];
    do {
      const [edge, ...more] = starts.get(keyOf(at)) ?? [];
      if (edge === undefined) break;
      starts.set(keyOf(at), more);
      at = edge[1];
      ring.push(at);
    } while (keyOf(at) !== keyOf(first[0]));
    if (ring.length > 3) closed.push(ring);
  }
  return closed;
}

/** Returns the smallest of some rotations of a closed line, so that it is the same wherever it began. */
function rotated(points: readonly Point[]): readonly Point[] {
  const keys = points.map(keyOf);
  const start = keys.indexOf(keys.toSorted()[0] ?? '');
  return [...points.slice(start), ...points.slice(0, start + 1)];
}

/** Returns a topology of areas that touch each other: lines end where other areas begin or end to touch them. */
export function topologyOf(areas: Areas): Topology {
  const merged = aligned(new Map([...areas].map(([code, rings]) => [code, outerRings(rings)])));
  const users = new Map<string, string>();
  const edgeOf = (one: Point, other: Point): string => [keyOf(one), keyOf(other)].toSorted().join(',');
  for (const [code, rings] of merged)
    for (const ring of rings)
      for (const [place, from] of ring.slice(0, -1).entries()) {
        const edge = edgeOf(from, ring[place + 1] ?? from);
        users.set(edge, `${users.get(edge) ?? ''}${code};`);
      }
  const arcs: (readonly Point[])[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (line: readonly Point[]): number => {
    const [forward, backward] = [line.map(keyOf).join(), line.toReversed().map(keyOf).join()];
    const known = numbers.get(forward);
    if (known !== undefined) return known;
    const reverse = numbers.get(backward);
    if (reverse !== undefined) return ~reverse;
    numbers.set(forward, arcs.length);
    arcs.push(line);
    return arcs.length - 1;
  };
  const usersAt = (ring: readonly Point[], place: number): string =>
    (users.get(edgeOf(ring[place] ?? [0, 0], ring[place + 1] ?? [0, 0])) ?? '').split(';').toSorted().join(';');
  const shapes = [...merged].map(([code, rings]) => ({
    codes: [code],
    rings: rings.map((ring) => {
      const edges = ring.length - 1;
      const cuts = Array.from({ length: edges }, (_, place) => place).filter(
        (place) => usersAt(ring, place) !== usersAt(ring, (place + edges - 1) % edges),
      );
      if (cuts.length === 0) return [numberOf(rotated(ring.slice(0, -1)))];
      return cuts.map((cut, index) => {
        const next = cuts[(index + 1) % cuts.length] ?? cut;
        const length = ((next - cut + edges - 1) % edges) + 1;
        return numberOf(Array.from({ length: length + 1 }, (_, step) => ring[(cut + step) % edges] ?? [0, 0]));
      });
    }),
  }));
  return { arcs, shapes };
}
