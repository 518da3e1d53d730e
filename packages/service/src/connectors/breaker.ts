/** Leaves a source alone that failed several times in a row, and then tries it with one call. */
export interface Breaker {
  /** Whether a call may go out now; the one that goes out after a pause is the only one until it has ended. */
  admits(): boolean;
  succeeded(): void;
  failed(): void;
  /** A call that was admitted ended without telling anything about the source. */
  released(): void;
  /** Whether it would be the same if it were new. */
  isFresh(): boolean;
}

export interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** Milliseconds for which it stays open before one call is let through. */
  readonly pauseMs: number;
  readonly now: () => number;
}

export function createBreaker({ failures, pauseMs, now }: BreakerOptions): Breaker {
  let inARow = 0;
  let failedAt = 0;
  let probing = false;
  const isOpen = (): boolean => inARow >= failures;
  return {
    admits() {
      if (!isOpen()) return true;
      if (probing || now() - failedAt < pauseMs) return false;
      probing = true;
      return true;
    },
    succeeded() {
      inARow = 0;
      probing = false;
    },
    failed() {
      inARow += 1;
      probing = false;
      failedAt = now();
    },
    released() {
      probing = false;
    },
    isFresh: () => inARow === 0 || (!probing && now() - failedAt > 10 * pauseMs),
  };
}
