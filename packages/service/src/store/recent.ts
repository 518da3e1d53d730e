/** A cache that evicts entries which have not been used recently. */
export interface RecentMap<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/**
 * Creates a cache for entries with a total weight of `limit`, in two generations. A used entry moves to the newer
 * generation. When the newer generation is full, it replaces the older one, and the entries of the older one are
 * dropped. By default, each entry weighs 1.
 */
export function recent<Key, Value>(limit: number, weigh: (key: Key) => number = () => 1): RecentMap<Key, Value> {
  let newerEntries = new Map<Key, Value>();
  let olderEntries = newerEntries;
  let weight = 0;
  const set = (key: Key, value: Value): void => {
    weight += weigh(key);
    if (weight > limit / 2 && newerEntries.size > 0) {
      olderEntries = newerEntries;
      newerEntries = new Map();
      weight = weigh(key);
    }
    newerEntries.set(key, value);
  };
  return {
    set,
    get(key) {
      const value = newerEntries.get(key);
      if (value !== undefined) return value;
      const olderValue = olderEntries.get(key);
      if (olderValue !== undefined) set(key, olderValue);
      return olderValue;
    },
  };
}

/** Memoizes a pure function. `limit` is the total weight of the cached results. */
export function remembered<Key, Value extends object | number>(
  limit: number,
  give: (key: Key) => Value,
  weigh?: (key: Key) => number,
): (key: Key) => Value {
  const recentValues = recent<Key, Value>(limit, weigh);
  return (key) => {
    const cachedValue = recentValues.get(key);
    if (cachedValue !== undefined) return cachedValue;
    const result = give(key);
    recentValues.set(key, result);
    return result;
  };
}
