const firstMs = 5000;
const longestMs = 3_600_000;

/**
 * Milliseconds until the next attempt: 5 s after the first, then twice as long each time, up to an hour, less a random share of
 * up to a half so that jobs that failed together do not come back together. `random` gives a number from 0 to 1.
 */
export function backoffMs(attempt: number, random: () => number): number {
  const fullMs = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 20));
  return Math.round(fullMs * (1 - random() / 2));
}

/** Milliseconds until a job looks for a free place again, plus a random share of up to a half. `random` gives a number from 0 to 1. */
export const placeWaitMs = (retryAfterS: number, random: () => number): number =>
  Math.round(retryAfterS * 1000 * (1 + random() / 2));
