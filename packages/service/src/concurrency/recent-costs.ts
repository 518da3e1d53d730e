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
  const costs = new Map<string, number>();
  return {
    of: (kinds) => costs.get(kinds.find((kind) => costs.has(kind)) ?? ''),
    learn: (kinds, ms) => {
      for (const kind of kinds) {
        const previousMs = costs.get(kind) ?? ms;
        costs.delete(kind);
        costs.set(kind, previousMs + weight * (ms - previousMs));
        for (const [oldest] of costs) {
          if (costs.size <= maxEntries) break;
          costs.delete(oldest);
        }
      }
    },
  };
}
