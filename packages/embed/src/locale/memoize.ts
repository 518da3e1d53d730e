/** Memoizes `make` by key. */
export const memoize = <Value, Key = string>(make: (key: Key) => Value): ((key: Key) => Value) => {
  const cache = new Map<Key, Value>();
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const made = make(key);
    cache.set(key, made);
    return made;
  };
};

/** Returns the result of `make`; undefined if it throws. */
export const attempt = <Value>(make: () => Value): Value | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};
