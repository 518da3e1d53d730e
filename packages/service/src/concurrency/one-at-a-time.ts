import { onEnd, callOnce } from './release.ts';

/** Acquires the lock of a name and returns its release function. Raises the reason of the signal. */
export type OneAtATime = (name: string, signal: AbortSignal) => Promise<() => void>;

/** Waiters for the same name are served in order of arrival. */
export function createOneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>();
  return (name, signal) =>
    new Promise((resolve, reject) => {
      const mine = Promise.withResolvers<void>();
      const before = last.get(name) ?? Promise.resolve();
      const all = before.then(() => mine.promise);
      last.set(name, all);
      const release = callOnce(() => {
        mine.resolve();
        if (last.get(name) === all) last.delete(name);
      });
      const unsubscribe = onEnd(signal, () => {
        release();
        reject(signal.reason);
      });
      void before.then(() => {
        unsubscribe();
        resolve(release);
      });
    });
}
