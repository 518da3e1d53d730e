/** Returns a function that calls a release function at most once. */
export function callOnce(release: () => void): () => void {
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    release();
  };
}

/**
 * Calls `onAbort` once when a signal aborts, immediately if it already has. Returns a function that removes the
 * listener.
 */
export function onEnd(signal: AbortSignal, onAbort: () => void): () => void {
  if (signal.aborted) {
    onAbort();
    return () => undefined;
  }
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}

/** Returns the result of the work. Rejects when the signal aborts, even if the work ignores the signal. */
export const unlessEnded = <Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    const unsubscribe = onEnd(signal, () => reject(signal.reason));
    void work.then(resolve, reject).finally(unsubscribe);
  });

/** Keeps a count per name. `add` returns a function that subtracts the added number, at most once. */
export interface Counter {
  readonly add: (name: string, by?: number) => () => void;
  readonly of: (name: string) => number;
  readonly total: () => number;
}

/** Creates a counter, which forgets a name when its count returns to zero. */
export function createCounter(): Counter {
  const counts = new Map<string, number>();
  let totalCount = 0;
  const change = (name: string, by: number): void => {
    const now = (counts.get(name) ?? 0) + by;
    totalCount += by;
    if (now > 0) counts.set(name, now);
    else counts.delete(name);
  };
  return {
    add: (name, by = 1) => {
      change(name, by);
      return callOnce(() => change(name, -by));
    },
    of: (name) => counts.get(name) ?? 0,
    total: () => totalCount,
  };
}
