/** What work of a kind has cost lately, in milliseconds; a bounded number of kinds, the longest unused are forgotten. */
export interface RecentCosts {
  /** The cost of the first of these kinds that is known. */
  readonly of: (kinds: readonly string[]) => number | undefined;
  readonly learn: (kinds: readonly string[], ms: number) => void;
}

/** How much the last cost counts against those before. */
const weight = 0.4;

export function createRecentCosts(most = 4096): RecentCosts {
  const known = new Map<string, number>();
  return {
    of: (kinds) => known.get(kinds.find((kind) => known.has(kind)) ?? ''),
    learn: (kinds, ms) => {
      for (const kind of kinds) {
        const before = known.get(kind) ?? ms;
        known.delete(kind);
        known.set(kind, before + weight * (ms - before));
        for (const [oldest] of known) {
          if (known.size <= most) break;
          known.delete(oldest);
        }
      }
    },
  };
}
