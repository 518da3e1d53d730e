/** A map that evicts entries not used recently. */
export interface RecentMap<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/**
 * Holds entries up to a total weight of `limit` in two generations. When the newer one is full, it replaces the older
 * one, whose unused entries are dropped. Each entry weighs 1 by default.
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

/** Memoizes recent results of a pure function. */
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
