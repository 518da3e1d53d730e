import type { FoundFilter } from '../../access/filter-kinds.ts';
import type { Alternatives } from '../model/parts.ts';

/** Larger sets are only compared for equality, since the comparison is quadratic. */
const mostCompared = 1000;

/**
 * Alternatives that let through the same rows: each once, and none that has all filters of another and more. What is handed on
 * from one to the other and back would grow with every step without it.
 */
export function widest(alternatives: Alternatives): Alternatives {
  const apart = new Map<string, ReadonlyMap<string, FoundFilter>>();
  for (const filters of alternatives) {
    const byText = new Map(filters.map((filter) => [JSON.stringify(filter), filter]));
    apart.set(JSON.stringify([...byText.keys()].toSorted()), byText);
  }
  const all = [...apart.values()];
  const isNarrower = (one: ReadonlyMap<string, FoundFilter>): boolean =>
    all.some((other) => other.size < one.size && [...other.keys()].every((text) => one.has(text)));
  const kept = all.length > mostCompared ? all : all.filter((one) => !isNarrower(one));
  return kept.map((one) => [...one.values()]);
}
