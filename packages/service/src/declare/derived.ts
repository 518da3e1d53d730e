import type { Declaration } from './declaration.ts';

/** Memoizes a function of a declaration. */
export function derived<Given extends object>(
  from: (resource: Declaration) => Given,
): (resource: Declaration) => Given {
  const known = new WeakMap<Declaration, Given>();
  return (resource) => {
    const cached = known.get(resource);
    if (cached !== undefined) return cached;
    const computed = from(resource);
    known.set(resource, computed);
    return computed;
  };
}
