/**
 * Weight of the latest interval between two starts in the moving average. The first intervals of a queue weigh more.
 */
const lastWeight = 1 / 64;
/** How long the queue must have been empty for the average to be reset, in ms. */
const forgottenMs = 1000;

/** Estimates the wait in a queue from its recent throughput. */
export interface ExpectedWait {
  /** Call when the queue stops being empty. */
  begin(): void;
  /** Call when a queued item starts. */
  started(): void;
  /** Returns the expected wait behind `waiting` other items, in ms. */
  behindMs(waiting: number): number;
}

/** Creates an estimate. `countedMs` caps the interval between two starts. `now` returns milliseconds. */
export function createExpectedWait(
  countedMs: number = Number.POSITIVE_INFINITY,
  now: () => number = () => performance.now(),
): ExpectedWait {
  let lastMs = 0;
  let meanMs = 0;
  let starts = 0;
  const sinceLastMs = (): number => Math.min(countedMs, now() - lastMs);
  return {
    begin: () => {
      if (now() - lastMs > forgottenMs) [meanMs, starts] = [0, 0];
      lastMs = now();
    },
    started: () => {
      starts += 1;
      meanMs += (sinceLastMs() - meanMs) * Math.max(lastWeight, 1 / starts);
      lastMs = now();
    },
    // If the queue has stalled, the time since the last start is the better estimate.
    behindMs: (count) => (count === 0 ? 0 : Math.max(count * meanMs, sinceLastMs())),
  };
}
