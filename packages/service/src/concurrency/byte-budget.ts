import { Problem } from '../problems/problem.ts';
import { createCounter, callOnce } from './release.ts';

/** A limited amount of memory or disk, shared by all bodies being read or all answers being sent. */
export interface Budget {
  /**
   * Reserves all the bytes of an operation at once, since operations that each hold a part could deadlock. Returns a
   * function that frees the bytes. Calls `held` with a function that cancels the wait. Raises Problem 503 on timeout or
   * cancellation.
   */
  readonly reserve: (owner: string, bytes: number, held: (giveUp: () => void) => () => void) => Promise<() => void>;
  /** Reserves bytes without waiting. Returns null if they are not available now. */
  readonly reserveNow: (owner: string, bytes: number) => (() => void) | null;
  readonly reserved: () => number;
  readonly waiting: () => number;
}

export interface BudgetOptions {
  readonly totalBytes: number;
  /** Limit per owner, such as a token or an organization. An owner's only reservation may exceed the limit. */
  readonly ownerBytes: number;
  readonly waitMs: number;
  /** Message of the problem if not enough bytes become free in time. */
  readonly message: string;
}

interface Place {
  readonly owner: string;
  readonly bytes: number;
}

interface Waiter extends Place {
  readonly go: () => void;
}

export function createBudget({ totalBytes, ownerBytes, waitMs, message }: BudgetOptions): Budget {
  const reservedBytes = createCounter();
  const waiters = new Set<Waiter>();
  const isFull = ({ owner, bytes }: Place): boolean =>
    reservedBytes.of(owner) > 0 && reservedBytes.of(owner) + bytes > ownerBytes;
  const fits = ({ bytes }: Place): boolean =>
    reservedBytes.total() === 0 || reservedBytes.total() + bytes <= totalBytes;
  /**
   * Serves waiters in order of arrival. A waiter that is blocked only by the limit of its own owner does not block
   * other waiters.
   */
  const grant = (): void => {
    for (const waiter of waiters) {
      if (isFull(waiter)) continue;
      if (!fits(waiter)) return;
      waiters.delete(waiter);
      waiter.go();
    }
  };
  const take = ({ owner, bytes }: Place): (() => void) => {
    const release = reservedBytes.add(owner, bytes);
    return callOnce(() => {
      release();
      grant();
    });
  };
  return {
    reserveNow: (owner, bytes) => {
      const place = { owner, bytes };
      return waiters.size > 0 || isFull(place) || !fits(place) ? null : take(place);
    },
    reserve: (owner, bytes, onWait) =>
      new Promise((resolve, reject) => {
        const refuse = (problem: Problem): void => {
          clearTimeout(timer);
          waiters.delete(waiter);
          reject(problem);
        };
        const waiter: Waiter = {
          owner,
          bytes,
          go: () => {
            clearTimeout(timer);
            const release = take(waiter);
            resolve(release);
            unsubscribe();
          },
        };
        const timer = setTimeout(() => {
          refuse(new Problem('overloaded', { message, retryAfterS: 10 }));
          unsubscribe();
        }, waitMs);
        waiters.add(waiter);
        const unsubscribe = onWait(() => refuse(new Problem('client_gone')));
        grant();
      }),
    reserved: () => reservedBytes.total(),
    waiting: () => waiters.size,
  };
}
