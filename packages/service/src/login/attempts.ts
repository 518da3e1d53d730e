import { hash } from 'node:crypto';
import { callOnce } from '../concurrency/release.ts';

/** Login attempts per e-mail address, whether a user has the address or not. */
export interface LoginAttempts {
  /**
   * Takes an attempt. Returns a function that gives the attempt back, to be called after a correct password. Returns
   * null if no attempts are left.
   */
  take(email: string): (() => void) | null;
  /** Seconds until the next attempt is allowed. */
  readonly nextS: number;
}

const hourMs = 3_600_000;
/** Maximum number of addresses that are tracked. The least recently used is evicted. */
const maxAddresses = 50_000;

interface Bucket {
  left: number;
  at: number;
}

/**
 * Limits the number of wrong passwords per hour and e-mail address on this instance. If `anHour` is 0, there is no
 * limit. `now` returns milliseconds.
 */
export function createLoginAttempts(anHour: number, now: () => number): LoginAttempts {
  const buckets = new Map<string, Bucket>();
  const bucketOf = (email: string): Bucket => {
    const key = hash('sha256', email, 'base64url');
    const at = now();
    const bucket = buckets.get(key) ?? { left: anHour, at };
    bucket.left = Math.min(anHour, bucket.left + (Math.max(0, at - bucket.at) / hourMs) * anHour);
    bucket.at = at;
    const [oldest] = buckets.keys();
    if (!buckets.delete(key) && buckets.size >= maxAddresses && oldest !== undefined) buckets.delete(oldest);
    buckets.set(key, bucket);
    return bucket;
  };
  return {
    nextS: anHour === 0 ? 1 : Math.ceil(hourMs / anHour / 1000),
    take: (email) => {
      if (anHour === 0) return () => undefined;
      const bucket = bucketOf(email.toLowerCase());
      if (bucket.left < 1) return null;
      bucket.left -= 1;
      return callOnce(() => {
        bucket.left = Math.min(anHour, bucket.left + 1);
      });
    },
  };
}
