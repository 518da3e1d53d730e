import { Problem } from '../problems/problem.ts';
import { createCounter, once } from './release.ts';

/** Room for bytes that are held in memory or on disk, such as bodies being read and answers being taken. */
export interface Budget {
  /**
   * Takes room for all of it before any of it is read, so that what is half there cannot wait for each other; what it gives
   * gives the room back. `held` is told how to give up waiting. Raises Problem 503 where none becomes free in time, or it is given up.
   */
  readonly reserve: (owner: string, bytes: number, held: (giveUp: () => void) => () => void) => Promise<() => void>;
  /** The same where there is room at once; null where there is none. */
  readonly reserveNow: (owner: string, bytes: number) => (() => void) | null;
  readonly reserved: () => number;
  readonly waiting: () => number;
}

export interface BudgetOptions {
  readonly totalBytes: number;
  /** Of one owner, such as an owner or an organization; one alone may take more in one go. */
  readonly ownerBytes: number;
  readonly waitMs: number;
  /** Told who finds no room. */
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
  const taken = createCounter();
  const waiters = new Set<Waiter>();
  const isFull = ({ owner, bytes }: Place): boolean => taken.of(owner) > 0 && taken.of(owner) + bytes > ownerBytes;
  const fits = ({ bytes }: Place): boolean => taken.total() === 0 || taken.total() + bytes <= totalBytes;
  /** In the order in which they came; whoever waits for others of the same owner holds up nobody else. */
  const grant = (): void => {
    for (const waiter of waiters) {
      if (isFull(waiter)) continue;
      if (!fits(waiter)) return;
      waiters.delete(waiter);
      waiter.go();
    }
  };
  const take = ({ owner, bytes }: Place): (() => void) => {
    const back = taken.add(owner, bytes);
    return once(() => {
      back();
      grant();
    });
  };
  return {
    reserveNow: (owner, bytes) => {
      const place = { owner, bytes };
      return waiters.size > 0 || isFull(place) || !fits(place) ? null : take(place);
    },
    reserve: (owner, bytes, held) =>
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
            stay();
          },
        };
        const timer = setTimeout(() => {
          refuse(new Problem('overloaded', { message, retryAfterS: 10 }));
          stay();
        }, waitMs);
        waiters.add(waiter);
        const stay = held(() => refuse(new Problem('client_gone')));
        grant();
      }),
    reserved: () => taken.total(),
    waiting: () => waiters.size,
  };
}
