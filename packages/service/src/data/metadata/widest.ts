import type { FoundFilter } from '../../access/filter-kinds.ts';
import type { Alternatives } from '../model/parts.ts';

/**
 * Maximum number of alternatives whose filters are compared in pairs, which takes quadratic time. More alternatives are
 * only deduplicated.
 */
const maxCompared = 1000;

/**
 * Removes duplicate alternatives, and alternatives that are another alternative with additional filters. Otherwise, if
 * people grant each other access, each step would multiply the alternatives.
 */
export function widest(alternatives: Alternatives): Alternatives {
  const filtersByText = new Map<string, ReadonlyMap<string, FoundFilter>>();
  for (const filters of alternatives) {
    const byText = new Map(filters.map((filter) => [JSON.stringify(filter), filter]));
    filtersByText.set(JSON.stringify([...byText.keys()].toSorted()), byText);
  }
  const distinctAlternatives = [...filtersByText.values()];
  const isNarrower = (entry: ReadonlyMap<string, FoundFilter>): boolean =>
    distinctAlternatives.some((other) => other.size < entry.size && [...other.keys()].every((text) => entry.has(text)));
  const remaining =
    distinctAlternatives.length > maxCompared
      ? distinctAlternatives
      : distinctAlternatives.filter((entry) => !isNarrower(entry));
  return remaining.map((entry) => [...entry.values()]);
}
