import { Problem } from '../problems/problem.ts';

export interface QueueLimits {
  readonly atOnce: number;
  readonly perOrganization: number;
  /** Waiting jobs of one organization above which more are refused. */
  readonly waiting: number;
}

/** Places for jobs, for which organizations take turns. */
export interface Queue {
  /** Waits for a place; gives how to leave it. Raises Problem `overloaded`, or the reason of the signal. */
  readonly enter: (organizationId: string, signal: AbortSignal) => Promise<() => void>;
}

/** Each organization in turn gets one place, until none is left. */
export function createQueue(limits: QueueLimits): Queue {
  const waiting = new Map<string, (() => void)[]>();
  const running = new Map<string, number>();
  let all = 0;

  const count = (organizationId: string, by: number): void => {
    all += by;
    const now = (running.get(organizationId) ?? 0) + by;
    if (now > 0) running.set(organizationId, now);
    else running.delete(organizationId);
  };
  const dispatch = (): void => {
    for (const [organizationId, queue] of [...waiting]) {
      if (all >= limits.atOnce) return;
      if ((running.get(organizationId) ?? 0) >= limits.perOrganization) continue;
      const next = queue.shift();
      waiting.delete(organizationId);
      // Behind the others for its next turn.
      if (queue.length > 0) waiting.set(organizationId, queue);
      next?.();
    }
  };
  return {
    enter: (organizationId, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const queue = waiting.get(organizationId) ?? [];
        if (queue.length >= limits.waiting)
          return reject(
            new Problem('overloaded', {
              message: `Your organization already has ${queue.length} exports waiting.`,
              retryAfterS: 10,
            }),
          );
        const abort = (): void => {
          queue.splice(queue.indexOf(take), 1);
          if (queue.length === 0 && waiting.get(organizationId) === queue) waiting.delete(organizationId);
          reject(signal.reason);
        };
        const take = (): void => {
          signal.removeEventListener('abort', abort);
          count(organizationId, 1);
          let left = false;
          resolve(() => {
            if (left) return;
            left = true;
            count(organizationId, -1);
            dispatch();
          });
        };
        signal.addEventListener('abort', abort, { once: true });
        queue.push(take);
        waiting.set(organizationId, queue);
        dispatch();
      }),
  };
}
