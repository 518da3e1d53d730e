import { createExpectedWait } from '../../concurrency/expected-wait.ts';

/**
 * How long requests are started in one iteration of the event loop, in milliseconds. Between iterations new requests are read, and
 * libuv accepts one new connection per iteration, so long iterations would make new clients wait to connect.
 */
const iterationMs = 4;
/** Longer times between two starts count as this: one long pause must not refuse the requests after it. */
const countedMs = 100;
/** Requests that are started in one iteration at most. */
const perIteration = 64;

/** Starts requests in the order they came, a few milliseconds of work in each iteration of the event loop. */
export interface RequestQueue {
  /** Starts a request now or in a later iteration; false, and it never starts, where it would wait too long. */
  take(start: () => void): boolean;
}

/**
 * Queues requests while the event loop is busy. Its iterations stay short, so that a request whose expected wait is longer than
 * `longestWaitMs` is refused at once. `now` gives milliseconds; `later` runs something in the next iteration.
 */
export function createRequestQueue(
  longestWaitMs: number,
  now: () => number = () => performance.now(),
  later: (run: () => void) => void = setImmediate,
): RequestQueue {
  const waiting: (() => void)[] = [];
  const expected = createExpectedWait(countedMs, now);
  let iterationStartedMs: number | null = null;
  let scheduled = 0;

  /** How long the present iteration has worked. */
  const workedMs = (): number => {
    const nowMs = now();
    if (iterationStartedMs !== null) return nowMs - iterationStartedMs;
    iterationStartedMs = nowMs;
    later(() => (iterationStartedMs = null));
    return 0;
  };

  function schedule(): void {
    scheduled = Math.min(waiting.length, perIteration);
    // One by one: what a request does at once is over before the next is started.
    for (let count = scheduled; count > 0; count -= 1) later(startNext);
  }

  function startNext(): void {
    scheduled -= 1;
    const start = workedMs() < iterationMs ? waiting.shift() : undefined;
    if (start !== undefined) expected.started();
    // First, so that the others do not depend on how this one starts.
    if (scheduled === 0 && waiting.length > 0) schedule();
    start?.();
  }

  return {
    take: (start) => {
      const worked = workedMs();
      if (waiting.length === 0) {
        expected.begin();
        if (worked < iterationMs) {
          start();
          return true;
        }
      }
      if (expected.behindMs(waiting.length) > longestWaitMs) return false;
      waiting.push(start);
      if (scheduled === 0) schedule();
      return true;
    },
  };
}
