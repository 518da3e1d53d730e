import { Problem } from '../problems/problem.ts';
import { createCounter, once } from '../release.ts';

/** Room for the bodies that are being read and handled. */
export interface Budget {
  /**
   * Takes room for a body before any of it is read, so that bodies that are half there cannot wait for each other; what it gives
   * gives the room back. `held` is told how to give up waiting. Raises Problem 503 where none becomes free in time, or it is given up.
   */
  readonly reserve: (address: string, bytes: number, held: (giveUp: () => void) => () => void) => Promise<() => void>;
  readonly reserved: () => number;
  readonly waiting: () => number;
}

export interface BudgetOptions {
  readonly totalBytes: number;
  readonly addressBytes: number;
  readonly waitMs: number;
}

interface Waiter {
  readonly address: string;
  readonly bytes: number;
  readonly go: () => void;
}

export function createBudget({ totalBytes, addressBytes, waitMs }: BudgetOptions): Budget {
  const taken = createCounter();
  const waiters = new Set<Waiter>();
  const isFull = ({ address, bytes }: Waiter): boolean =>
    taken.of(address) > 0 && taken.of(address) + bytes > addressBytes;
  const fits = ({ bytes }: Waiter): boolean => taken.total() === 0 || taken.total() + bytes <= totalBytes;
  /** In the order in which they came; whoever waits for others of the same address holds up nobody else. */
  const grant = (): void => {
    for (const waiter of waiters) {
      if (isFull(waiter)) continue;
      if (!fits(waiter)) return;
      waiters.delete(waiter);
      waiter.go();
    }
  };
  const take = ({ address, bytes }: Pick<Waiter, 'address' | 'bytes'>): (() => void) => {
    const back = taken.add(address, bytes);
    return once(() => {
      back();
      grant();
    });
  };
  return {
    reserve: (address, bytes, held) =>
      new Promise((resolve, reject) => {
        const refuse = (problem: Problem): void => {
          clearTimeout(timer);
          waiters.delete(waiter);
          reject(problem);
        };
        const waiter: Waiter = {
          address,
          bytes,
          go: () => {
            clearTimeout(timer);
            const release = take(waiter);
            resolve(release);
            stay();
          },
        };
        const timer = setTimeout(() => {
          const message = 'Too many large bodies are being read. Try again after Retry-After.';
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
