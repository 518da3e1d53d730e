import { StoreUnavailable } from './store.ts';

/** Waits for work with a time limit. Raises StoreUnavailable after the limit, but does not cancel the work. */
export function withinMs<Result>(limitMs: number, work: Promise<Result>, onLate?: () => void): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onLate?.();
      reject(new StoreUnavailable(`the store did not answer within ${Math.round(limitMs)} ms`));
    }, limitMs);
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
