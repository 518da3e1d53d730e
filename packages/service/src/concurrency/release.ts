/** What gives something back: asked any number of times, it does so once. */
export function once(release: () => void): () => void {
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    release();
  };
}

/** Calls back once when a signal ends, at once where it has ended; gives what stops listening. */
export function onEnd(signal: AbortSignal, ended: () => void): () => void {
  if (signal.aborted) {
    ended();
    return () => undefined;
  }
  signal.addEventListener('abort', ended, { once: true });
  return () => signal.removeEventListener('abort', ended);
}

/** Counts what is held by a name; what it gives takes one off again, once. */
export interface Counter {
  readonly add: (name: string, by?: number) => () => void;
  readonly of: (name: string) => number;
  readonly total: () => number;
}

/** Names are forgotten when nothing of theirs is held. */
export function createCounter(): Counter {
  const held = new Map<string, number>();
  let total = 0;
  const change = (name: string, by: number): void => {
    const now = (held.get(name) ?? 0) + by;
    total += by;
    if (now > 0) held.set(name, now);
    else held.delete(name);
  };
  return {
    add: (name, by = 1) => {
      change(name, by);
      return once(() => change(name, -by));
    },
    of: (name) => held.get(name) ?? 0,
    total: () => total,
  };
}
