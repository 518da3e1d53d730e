/** A token bucket for each subject: `perSecond` sustained, `burst` at once (decisions, section 7). */
export interface RateLimit {
  /** Takes one; `remaining` is negative-free, and `retryAfterS` is set where there is none left. */
  take(subject: string): Taken;
}

export interface Taken {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly retryAfterS: number;
}

interface Bucket {
  held: number;
  at: number;
}

/** Subjects kept at most; the longest unused is forgotten first, and would be full again anyway. */
const most = 50_000;

/** Limits per instance. `perSecond` 0 is no limit; `now` gives milliseconds. */
export function createRateLimit(perSecond: number, burst: number, now: () => number): RateLimit | null {
  if (perSecond === 0) return null;
  const buckets = new Map<string, Bucket>();
  return {
    take: (subject) => {
      const at = now();
      const known = buckets.get(subject);
      const bucket = known ?? { held: burst, at };
      if (known === undefined && buckets.size >= most) {
        const [oldest] = buckets.keys();
        if (oldest !== undefined) buckets.delete(oldest);
      }
      bucket.held = Math.min(burst, bucket.held + (Math.max(0, at - bucket.at) / 1000) * perSecond);
      bucket.at = at;
      const allowed = bucket.held >= 1;
      if (allowed) bucket.held -= 1;
      // Last again, so that the first is the longest unused.
      buckets.delete(subject);
      buckets.set(subject, bucket);
      const retryAfterS = allowed ? 0 : Math.max(1, Math.ceil((1 - bucket.held) / perSecond));
      return { allowed, limit: burst, remaining: Math.floor(bucket.held), retryAfterS };
    },
  };
}
