import { onEnd, callOnce } from './release.ts';

/** Acquires the lock of a name and returns a function that releases it. Raises the signal's reason if it aborts. */
export type OneAtATime = (name: string, signal: AbortSignal) => Promise<() => void>;

/** Waiters for the same name are served in order of arrival. */
export function createOneAtATime(): OneAtATime {
  const lastByName = new Map<string, Promise<unknown>>();
  return (name, signal) =>
    new Promise((resolve, reject) => {
      const ownTurn = Promise.withResolvers<void>();
      const predecessor = lastByName.get(name) ?? Promise.resolve();
      const tail = predecessor.then(() => ownTurn.promise);
      lastByName.set(name, tail);
      const release = callOnce(() => {
        ownTurn.resolve();
        if (lastByName.get(name) === tail) lastByName.delete(name);
      });
      const unsubscribe = onEnd(signal, () => {
        release();
        reject(signal.reason);
      });
      void predecessor.then(() => {
        unsubscribe();
        resolve(release);
      });
    });
}
