/** Weight of the last start in the mean time from one to the next; the first ones of a queue count for more. */
const lastWeight = 1 / 64;
/** The mean starts again after nobody has waited for this long. */
const forgottenMs = 1000;

/** Estimates the wait in a queue from how fast it moved lately. */
export interface ExpectedWait {
  /** To be called when the first one begins to wait. */
  begin(): void;
  /** To be called when a waiting one is started. */
  started(): void;
  /** The expected wait behind so many others, in milliseconds. */
  behindMs(waiting: number): number;
}

/** `countedMs`: the longest time between two starts that counts as such. `now` gives milliseconds. */
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
    // The queue may have stopped: then the time since the last start says more than the mean.
    behindMs: (waiting) => (waiting === 0 ? 0 : Math.max(waiting * meanMs, sinceLastMs())),
  };
}
