/** Memoizes a function of one argument. */
export const memoize = <Value, Key = string>(make: (key: Key) => Value): ((key: Key) => Value) => {
  const cache = new Map<Key, Value>();
  return (key) => {
    const cachedResult = cache.get(key);
    if (cachedResult !== undefined) return cachedResult;
    const result = make(key);
    cache.set(key, result);
    return result;
  };
};

/** Returns the result of `make`; undefined if `make` throws. */
export const attempt = <Value>(make: () => Value): Value | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};
