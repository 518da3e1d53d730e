/** Weight of the last start in the mean time from one to the next; the first ones of a queue count for more. */
const lastWeight = 1 / 64;
/** What was learned is forgotten once nobody has waited for so long. */
const forgottenMs = 1000;

/** Estimates how long somebody would wait in a queue, from how fast those before were started. */
export interface ExpectedWait {
  /** Notes that somebody begins to wait where nobody did. */
  begin(): void;
  /** Notes that one of those who wait was started. */
  started(): void;
  /** How long somebody behind so many others would wait, in milliseconds. */
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
    // Where nobody has been started for long, the mean says too little.
    behindMs: (waiting) => (waiting === 0 ? 0 : Math.max(waiting * meanMs, sinceLastMs())),
  };
}
