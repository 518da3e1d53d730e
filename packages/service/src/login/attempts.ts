import { hash } from 'node:crypto';
import { callOnce } from '../concurrency/release.ts';

/** Login attempts per e-mail address, known or not. */
export interface LoginAttempts {
  /** Takes an attempt; call the returned function after a correct password to give it back. Null if none are left. */
  take(email: string): (() => void) | null;
  /** Seconds until the next attempt. */
  readonly nextS: number;
}

const hourMs = 3_600_000;
/** Limit of tracked addresses; evicts the least recently used. */
const maxAddresses = 50_000;

interface Bucket {
  left: number;
  at: number;
}

/** Limits wrong passwords per hour and e-mail address on this instance; 0 means unlimited. `now` returns milliseconds. */
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
