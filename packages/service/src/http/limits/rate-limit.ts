/** A token bucket per subject: `perSecond` is the sustained rate, `burst` the maximum at once. */
export interface RateLimit {
  /**
   * Takes a token. `ownPerSecond`: the subject's own sustained rate, with a proportional burst; null for the default
   * rate.
   */
  take(subject: string, ownPerSecond?: number | null): RateLimitResult;
}

export interface RateLimitResult {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly retryAfterS: number;
}

interface Bucket {
  held: number;
  at: number;
}

/** Maximum number of subjects. The least recently used is evicted first; its bucket would be full again anyway. */
const maxSubjects = 50_000;

/** Creates a rate limit of this instance; null (unlimited) if `perSecond` is 0. `now` returns milliseconds. */
export function createRateLimit(perSecond: number, burst: number, now: () => number): RateLimit | null {
  if (perSecond === 0) return null;
  const buckets = new Map<string, Bucket>();
  return {
    take: (subject, ownPerSecond = null) => {
      const at = now();
      const rate = ownPerSecond ?? perSecond;
      const capacity = ownPerSecond === null ? burst : Math.max(1, Math.round((burst / perSecond) * ownPerSecond));
      const existingBucket = buckets.get(subject);
      const bucket = existingBucket ?? { held: capacity, at };
      if (existingBucket === undefined && buckets.size >= maxSubjects) {
        const [oldest] = buckets.keys();
        if (oldest !== undefined) buckets.delete(oldest);
      }
      bucket.held = Math.min(capacity, bucket.held + (Math.max(0, at - bucket.at) / 1000) * rate);
      bucket.at = at;
      const isAllowed = bucket.held >= 1;
      if (isAllowed) bucket.held -= 1;
      // Reinserted at the end, so that the first entry is the least recently used.
      buckets.delete(subject);
      buckets.set(subject, bucket);
      const retryAfterS = isAllowed ? 0 : Math.max(1, Math.ceil((1 - bucket.held) / rate));
      return { allowed: isAllowed, limit: capacity, remaining: Math.floor(bucket.held), retryAfterS };
    },
  };
}
