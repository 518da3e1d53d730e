/** Colours of members by their place in the palette of a theme: a member has the same one in every item. */
export interface MemberColors {
  /** The place of a member of a column; it is known from then on. */
  place(column: string, key: string): number;
  /** Tells members before they are drawn; whether a place that was given changed. */
  add(column: string, keys: readonly string[]): boolean;
  /** From now on places that were given stay. */
  settle(): void;
}

/** FNV-1a, 32 bits: spreads short texts evenly. */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93) >>> 0;
  return hash;
}

/** The place that a member would like, or the next one that is free; once all are taken, the one it would like. */
function freePlace(key: string, taken: ReadonlySet<number>, size: number): number {
  const wanted = hashOf(key) % size;
  for (let step = 0; step < size; step += 1) {
    const place = (wanted + step) % size;
    if (!taken.has(place)) return place;
  }
  return wanted;
}

/**
 * Gives each member of a column one of `size` places, which follows from the member alone unless two would like the same one: so the same
 * member has the same place whichever others a filter or a tenant leaves.
 */
export function createMemberColors(size: number): MemberColors {
  const columns = new Map<string, Map<string, number>>();
  const isSettled = { now: false };
  const placed = (held: Map<string, number>, keys: readonly string[]): Map<string, number> => {
    const all = isSettled.now ? keys : [...held.keys(), ...keys];
    const places = new Map(isSettled.now ? held : []);
    const taken = new Set(places.values());
    for (const key of all.toSorted((one, other) => hashOf(one) - hashOf(other) || (one < other ? -1 : 1))) {
      const place = freePlace(key, taken, Math.max(1, size));
      places.set(key, place);
      taken.add(place);
    }
    return places;
  };
  const add = (column: string, keys: readonly string[]): boolean => {
    const held = columns.get(column) ?? new Map<string, number>();
    const added = [...new Set(keys)].filter((key) => !held.has(key));
    if (added.length === 0) return false;
    const places = placed(held, added);
    columns.set(column, places);
    return [...held].some(([key, place]) => places.get(key) !== place);
  };
  return {
    add,
    place: (column, key) => {
      add(column, [key]);
      return columns.get(column)?.get(key) ?? 0;
    },
    settle: () => {
      isSettled.now = true;
    },
  };
}
