/** A circuit breaker: rejects calls to a failing endpoint. Each admitted call ends with exactly one of the other three functions. */
export interface Breaker {
  /** Whether a call is admitted now. After a pause it admits a single call until that has ended. */
  readonly admits: () => boolean;
  readonly succeeded: () => void;
  readonly failed: () => void;
  /** An admitted call ended without information about the endpoint. */
  readonly released: () => void;
  /** Whether the breaker is in the state of a new breaker. */
  readonly isFresh: () => boolean;
}

export interface BreakerOptions {
  /** Consecutive failures that open it. */
  readonly failures: number;
  /** Milliseconds that it stays open before it tries a call. */
  readonly pauseMs: number;
  /** Maximum calls in flight; unlimited by default. */
  readonly atOnce?: number;
  /** Monotonic milliseconds. */
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
