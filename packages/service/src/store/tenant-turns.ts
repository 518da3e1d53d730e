import { ReadsBusy } from './store.ts';

/** Work for several tenants on few places: tenants take turns, and one alone never takes the last place. */
export interface TenantTurns {
  /** Raises ReadsBusy where too many wait, and what the work raises. */
  run<Result>(tenant: string, work: () => Promise<Result>): Promise<Result>;
}

/** `places`: how much runs at once. `waiting`: how much of one tenant may wait. */
export function createTenantTurns({ places, waiting }: { places: number; waiting: number }): TenantTurns {
  const queues = new Map<string, (() => void)[]>();
  const running = new Map<string, number>();
  let free = places;

  const mayRun = (tenant: string): boolean => (running.get(tenant) ?? 0) < Math.max(1, places - 1);
  const next = (): void => {
    for (const [tenant, queue] of [...queues]) {
      if (free === 0) return;
      if (!mayRun(tenant)) continue;
      const start = queue.shift();
      queues.delete(tenant);
      // Behind all other tenants.
      if (queue.length > 0) queues.set(tenant, queue);
      start?.();
    }
  };
  return {
    run: (tenant, work) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(tenant) ?? [];
        if (queue.length >= waiting) return reject(new ReadsBusy('too many reads of this organization wait'));
        const end = (): void => {
          free += 1;
          const left = (running.get(tenant) ?? 1) - 1;
          if (left > 0) running.set(tenant, left);
          else running.delete(tenant);
          next();
        };
        queue.push(() => {
          free -= 1;
          running.set(tenant, (running.get(tenant) ?? 0) + 1);
          void work().then(resolve, reject).finally(end);
        });
        queues.set(tenant, queue);
        next();
      }),
  };
}
