/** Memoizes `make` by key. */
export const kept = <Value, Key = string>(make: (key: Key) => Value): ((key: Key) => Value) => {
  const held = new Map<Key, Value>();
  return (key) => {
    const found = held.get(key);
    if (found !== undefined) return found;
    const made = make(key);
    held.set(key, made);
    return made;
  };
};

/** The result of `make`; undefined if it throws. */
export const attempt = <Value>(make: () => Value): Value | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};
