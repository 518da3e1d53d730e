import type { Declaration } from './declaration.ts';

/** What follows from a declaration alone, worked out once for each resource. */
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
