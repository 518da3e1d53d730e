import type { Declaration } from './declaration.ts';

/** Memoizes a function of a declaration. */
export function derived<Given extends object>(
  from: (resource: Declaration) => Given,
): (resource: Declaration) => Given {
  const known = new WeakMap<Declaration, Given>();
  return (resource) => {
    const held = known.get(resource);
    if (held !== undefined) return held;
    const given = from(resource);
    known.set(resource, given);
    return given;
  };
}
