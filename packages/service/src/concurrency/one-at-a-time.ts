import { onEnd, once } from './release.ts';

/** Waits until nobody else goes on under a name; gives what lets the next one. Raises the reason of the signal. */
export type OneAtATime = (name: string, signal: AbortSignal) => Promise<() => void>;

/** Those who wait under a name go on in the order in which they came. */
export function createOneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>();
  return (name, signal) =>
    new Promise((resolve, reject) => {
      const mine = Promise.withResolvers<void>();
      const before = last.get(name) ?? Promise.resolve();
      const all = before.then(() => mine.promise);
      last.set(name, all);
      const release = once(() => {
        mine.resolve();
        if (last.get(name) === all) last.delete(name);
      });
      const deaf = onEnd(signal, () => {
        release();
        reject(signal.reason);
      });
      void before.then(() => {
        deaf();
        resolve(release);
      });
    });
}
