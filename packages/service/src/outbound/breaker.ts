/**
 * A circuit breaker: rejects calls to a failing endpoint. Each admitted call must end with exactly one of `succeeded`,
 * `failed` and `released`.
 */
export interface Breaker {
  /** True if a call is admitted now. After a pause, a single call is admitted until it has ended. */
  readonly admits: () => boolean;
  readonly succeeded: () => void;
  readonly failed: () => void;
  /** Reports that an admitted call ended without showing whether the endpoint works. */
  readonly released: () => void;
  /** True if the breaker is in the same state as a new breaker. */
  readonly isFresh: () => boolean;
}

export interface BreakerOptions {
  /** Number of consecutive failures that open the breaker. */
  readonly failures: number;
  /** How long the breaker stays open before it admits a call, in ms. */
  readonly pauseMs: number;
  /** Maximum number of calls in flight; unlimited by default. */
  readonly atOnce?: number;
  /** Returns milliseconds of a monotonic clock. */
  readonly now: () => number;
}

export function createBreaker({ failures, pauseMs, atOnce = Infinity, now }: BreakerOptions): Breaker {
  let inARow = 0;
  let failedAt = 0;
  let callsInProgress = 0;
  let isProbing = false;
  const end = (): void => {
    callsInProgress -= 1;
    isProbing = false;
  };
  return {
    admits: () => {
      if (callsInProgress >= atOnce) return false;
      if (inARow >= failures) {
        if (isProbing || now() - failedAt < pauseMs) return false;
        isProbing = true;
      }
      callsInProgress += 1;
      return true;
    },
    succeeded: () => {
      end();
      inARow = 0;
    },
    failed: () => {
      end();
      inARow += 1;
      failedAt = now();
    },
    released: end,
    isFresh: () => callsInProgress === 0 && (inARow === 0 || now() - failedAt > 10 * pauseMs),
  };
}
