/** A map of what was used lately. */
export interface RecentMap<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/**
 * Keeps values of a weight of `most` together, each of one unless said, in two generations: what was not used while the newer
 * one filled goes with the older one.
 */
export function recent<Key, Value>(most: number, weigh: (key: Key) => number = () => 1): RecentMap<Key, Value> {
  let newer = new Map<Key, Value>();
  let older = newer;
  let weight = 0;
  const set = (key: Key, value: Value): void => {
    weight += weigh(key);
    if (weight > most / 2 && newer.size > 0) {
      older = newer;
      newer = new Map();
      weight = weigh(key);
    }
    newer.set(key, value);
  };
  return {
    set,
    get(key) {
      const found = newer.get(key);
      if (found !== undefined) return found;
      const aged = older.get(key);
      if (aged !== undefined) set(key, aged);
      return aged;
    },
  };
}

/** The same function, which works out what it gave lately only once. It must depend on its argument alone. */
export function remembered<Key, Value extends object | number>(
  most: number,
  give: (key: Key) => Value,
  weigh?: (key: Key) => number,
): (key: Key) => Value {
  const known = recent<Key, Value>(most, weigh);
  return (key) => {
    const held = known.get(key);
    if (held !== undefined) return held;
    const given = give(key);
    known.set(key, given);
    return given;
  };
}
