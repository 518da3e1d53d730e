import { hash } from 'node:crypto';
import { once } from '../concurrency/release.ts';

/** Attempts to log in with one e-mail address, known or not. */
export interface LoginAttempts {
  /** Takes one; what it gives gives it back, where the password was right. Null where there are none left for now. */
  take(email: string): (() => void) | null;
  /** Seconds until there is one again. */
  readonly nextS: number;
}

const hourMs = 3_600_000;
/** Addresses kept at most; the longest unused is forgotten first. */
const mostAddresses = 50_000;

interface Bucket {
  left: number;
  at: number;
}

/** So many wrong passwords an hour with one e-mail address, at this instance; 0 is no limit. `now` gives milliseconds. */
export function createLoginAttempts(anHour: number, now: () => number): LoginAttempts {
  const buckets = new Map<string, Bucket>();
  const bucketOf = (email: string): Bucket => {
    const key = hash('sha256', email, 'base64url');
    const at = now();
    const bucket = buckets.get(key) ?? { left: anHour, at };
    bucket.left = Math.min(anHour, bucket.left + (Math.max(0, at - bucket.at) / hourMs) * anHour);
    bucket.at = at;
    const [oldest] = buckets.keys();
    if (!buckets.delete(key) && buckets.size >= mostAddresses && oldest !== undefined) buckets.delete(oldest);
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
      return once(() => {
        bucket.left = Math.min(anHour, bucket.left + 1);
      });
    },
  };
}
