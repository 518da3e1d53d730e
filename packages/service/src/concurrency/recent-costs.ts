/**
 * Moving averages of the costs of kinds of work, in ms. A limited number of kinds is remembered; the least recently
 * used is evicted.
 */
export interface RecentCosts {
  /** Returns the cost of the first of the kinds whose cost is known; undefined if none is known. */
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
