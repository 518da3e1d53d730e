/** Assigns each member a position in the palette, which is the same in all items of a page. */
export interface MemberColors {
  /** Returns the palette position of a member. Registers the member if it is new. */
  place(column: string, key: string): number;
  /** Registers members before they are drawn. Returns true if the position of a known member changed. */
  add(column: string, keys: readonly string[]): boolean;
  /** Fixes the positions assigned so far, so that further members do not change them. */
  settle(): void;
}

/** FNV-1a, 32 bits: spreads short texts evenly. */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93) >>> 0;
  return hash;
}

/**
 * Returns the preferred position of a member, or else the next free position. If all are taken, returns the preferred
 * one.
 */
function freePlace(key: string, takenPlaces: ReadonlySet<number>, size: number): number {
  const preferredPlace = hashOf(key) % size;
  for (let step = 0; step < size; step += 1) {
    const place = (preferredPlace + step) % size;
    if (!takenPlaces.has(place)) return place;
  }
  return preferredPlace;
}

/**
 * Assigns each member of a column one of `size` positions. The position depends only on a hash of the member, unless
 * two members collide. A member thus has the same colour under any filter and for any tenant.
 */
export function createMemberColors(size: number): MemberColors {
  const columns = new Map<string, Map<string, number>>();
  const isSettled = { now: false };
  const placeKeys = (knownPlaces: Map<string, number>, keys: readonly string[]): Map<string, number> => {
    const allKeys = isSettled.now ? keys : [...knownPlaces.keys(), ...keys];
    const places = new Map(isSettled.now ? knownPlaces : []);
    const takenPlaces = new Set(places.values());
    for (const key of allKeys.toSorted((a, b) => hashOf(a) - hashOf(b) || (a < b ? -1 : 1))) {
      const place = freePlace(key, takenPlaces, Math.max(1, size));
      places.set(key, place);
      takenPlaces.add(place);
    }
    return places;
  };
  const add = (column: string, keys: readonly string[]): boolean => {
    const knownPlaces = columns.get(column) ?? new Map<string, number>();
    const addedKeys = [...new Set(keys)].filter((key) => !knownPlaces.has(key));
    if (addedKeys.length === 0) return false;
    const places = placeKeys(knownPlaces, addedKeys);
    columns.set(column, places);
    return [...knownPlaces].some(([key, place]) => places.get(key) !== place);
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
