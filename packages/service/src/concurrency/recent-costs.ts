/**
 * Moving average of the cost of each kind of work, in ms. Remembers a limited number of kinds and evicts the least
 * recently used.
 */
export interface RecentCosts {
  /** Cost of the first of these kinds with a known one. */
  readonly of: (kinds: readonly string[]) => number | undefined;
  readonly learn: (kinds: readonly string[], ms: number) => void;
}

/** Weight of the latest cost in the average. */
const weight = 0.4;

export function createRecentCosts(maxEntries = 4096): RecentCosts {
  const known = new Map<string, number>();
  return {
    of: (kinds) => known.get(kinds.find((kind) => known.has(kind)) ?? ''),
    learn: (kinds, ms) => {
      for (const kind of kinds) {
        const before = known.get(kind) ?? ms;
        known.delete(kind);
        known.set(kind, before + weight * (ms - before));
        for (const [oldest] of known) {
          if (known.size <= maxEntries) break;
          known.delete(oldest);
        }
      }
    },
  };
}
