import { createCounter, callOnce, onEnd } from './release.ts';

/**
 * A limited number of slots that tenants get in turns. If there are several slots, a single tenant never occupies all
 * of them.
 */
export interface TenantTurns {
  /**
   * Waits for a slot and returns a function that releases it. Raises `refusal()` if too much work of the tenant waits,
   * and the signal's reason if it aborts.
   */
  readonly enter: (tenant: string, signal?: AbortSignal) => Promise<() => void>;
  /** Runs work in a slot. Raises what `enter` and the work raise. */
  readonly run: <Result>(tenant: string, work: () => Promise<Result>) => Promise<Result>;
}

export interface TenantTurnsOptions {
  /** Number of slots. */
  readonly places: number;
  /** Maximum number of waiting calls per tenant. Further calls are refused. */
  readonly waiting: number;
  readonly refusal: (waiting: number) => Error;
}

export function createTenantTurns({ places, waiting, refusal }: TenantTurnsOptions): TenantTurns {
  const tenantPlaces = Math.max(1, places - 1);
  const queues = new Map<string, (() => void)[]>();
  const runningCounts = createCounter();

  const startNext = (): void => {
    for (const [tenant, queue] of Array.from(queues)) {
      if (runningCounts.total() >= places) return;
      if (runningCounts.of(tenant) >= tenantPlaces) continue;
      const start = queue.shift();
      queues.delete(tenant);
      // Moves the tenant to the end of the round.
      if (queue.length > 0) queues.set(tenant, queue);
      start?.();
    }
  };
  const take = (tenant: string): (() => void) => {
    const leave = runningCounts.add(tenant);
    return callOnce(() => {
      leave();
      startNext();
    });
  };
  const enter: TenantTurns['enter'] = (tenant, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const queue = queues.get(tenant) ?? [];
      if (queue.length >= waiting) return reject(refusal(queue.length));
      const start = (): void => {
        unsubscribe();
        resolve(take(tenant));
      };
      const giveUp = (): void => {
        queue.splice(queue.indexOf(start), 1);
        if (queue.length === 0 && queues.get(tenant) === queue) queues.delete(tenant);
        reject(signal?.reason);
      };
      const unsubscribe = signal === undefined ? () => undefined : onEnd(signal, giveUp);
      queue.push(start);
      queues.set(tenant, queue);
      startNext();
    });
  return {
    enter,
    run: async (tenant, work) => {
      const leave = await enter(tenant);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
