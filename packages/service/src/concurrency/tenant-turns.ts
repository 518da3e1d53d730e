import { createCounter, once, onEnd } from './release.ts';

/** A few places for work of many tenants, who take turns; one alone never takes the last of several places. */
export interface TenantTurns {
  /** Waits for a place; gives what leaves it. Raises what `refusal` makes where too many wait, and the reason of the signal. */
  readonly enter: (tenant: string, signal?: AbortSignal) => Promise<() => void>;
  /** Does work in a place. Raises as `enter` does, and what the work raises. */
  readonly run: <Result>(tenant: string, work: () => Promise<Result>) => Promise<Result>;
}

export interface TenantTurnsOptions {
  /** How much runs at once. */
  readonly places: number;
  /** How much of one tenant may wait; more is refused. */
  readonly waiting: number;
  readonly refusal: (waiting: number) => Error;
}

export function createTenantTurns({ places, waiting, refusal }: TenantTurnsOptions): TenantTurns {
  const tenantPlaces = Math.max(1, places - 1);
  const queues = new Map<string, (() => void)[]>();
  const running = createCounter();

  const next = (): void => {
    for (const [tenant, queue] of Array.from(queues)) {
      if (running.total() >= places) return;
      if (running.of(tenant) >= tenantPlaces) continue;
      const start = queue.shift();
      queues.delete(tenant);
      // Behind all other tenants.
      if (queue.length > 0) queues.set(tenant, queue);
      start?.();
    }
  };
  const take = (tenant: string): (() => void) => {
    const leave = running.add(tenant);
    return once(() => {
      leave();
      next();
    });
  };
  const enter: TenantTurns['enter'] = (tenant, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const queue = queues.get(tenant) ?? [];
      if (queue.length >= waiting) return reject(refusal(queue.length));
      const start = (): void => {
        stay();
        resolve(take(tenant));
      };
      const giveUp = (): void => {
        queue.splice(queue.indexOf(start), 1);
        if (queue.length === 0 && queues.get(tenant) === queue) queues.delete(tenant);
        reject(signal?.reason);
      };
      const stay = signal === undefined ? () => undefined : onEnd(signal, giveUp);
      queue.push(start);
      queues.set(tenant, queue);
      next();
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
