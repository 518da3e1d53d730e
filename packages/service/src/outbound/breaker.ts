/** A circuit breaker: rejects calls to a partner that keeps failing. Each admitted call ends by exactly one of the other three. */
export interface Breaker {
  /** Whether a call may be made now. After a pause one call is admitted, and no other until it has ended. */
  readonly admits: () => boolean;
  readonly succeeded: () => void;
  readonly failed: () => void;
  /** An admitted call ended without telling anything about the partner. */
  readonly released: () => void;
  /** Whether it would behave the same if it were new. */
  readonly isFresh: () => boolean;
}

export interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** Milliseconds for which it stays open before one call is tried. */
  readonly pauseMs: number;
  /** Calls in flight at once; no limit by default. */
  readonly atOnce?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/** A closed breaker. */
export function createBreaker({ failures, pauseMs, atOnce = Infinity, now }: BreakerOptions): Breaker {
  let inARow = 0;
  let failedAt = 0;
  let running = 0;
  let probing = false;
  const end = (): void => {
    running -= 1;
    probing = false;
  };
  return {
    admits: () => {
      if (running >= atOnce) return false;
      if (inARow >= failures) {
        if (probing || now() - failedAt < pauseMs) return false;
        probing = true;
      }
      running += 1;
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
    isFresh: () => running === 0 && (inARow === 0 || now() - failedAt > 10 * pauseMs),
  };
}
