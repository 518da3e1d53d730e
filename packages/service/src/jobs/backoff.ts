const firstMs = 5000;
const longestMs = 3_600_000;

/**
 * Returns the delay before the next attempt, in ms. It is 5 s after the first attempt and doubles each time, up to an
 * hour. A random share of up to one half is subtracted, so that retries spread out. `random` returns a number from 0 to
 * 1.
 */
export function backoffMs(attempt: number, random: () => number): number {
  const fullMs = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 20));
  return Math.round(fullMs * (1 - random() / 2));
}

/**
 * Returns the time until a job tries again to get a slot, in ms. Up to half of `retryAfterS` is added at random.
 * `random` returns a number from 0 to 1.
 */
export const placeWaitMs = (retryAfterS: number, random: () => number): number =>
  Math.round(retryAfterS * 1000 * (1 + random() / 2));
