import { createExpectedWait } from '../../concurrency/expected-wait.ts';

/**
 * How long an iteration of the event loop may start requests, in milliseconds. Between iterations new requests are
 * read, and libuv accepts one new connection per iteration, so long iterations would delay new clients.
 */
const iterationMs = 4;
/** Caps the measured time between two starts, so that a long pause does not refuse the requests after it. */
const countedMs = 100;
/** Maximum requests started per iteration. */
const perIteration = 64;

/** Starts requests round-robin by tenant, a few milliseconds of work per iteration of the event loop. */
export interface RequestQueue {
  /**
   * Starts a request now or in a later iteration. Returns false, and never starts the request, if it would wait too
   * long.
   */
  take(start: () => void, tenant: string): boolean;
}

/** Requests by tenant, in round-robin order. */
class WaitingRequests {
  readonly #queues = new Map<string, (() => void)[]>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Returns the number of queued requests that start before a new request of a tenant. */
  before(tenant: string): number {
    const ownLength = this.#queues.get(tenant)?.length ?? 0;
    if (ownLength === 0) return this.#queues.size;
    let count = ownLength;
    for (const [other, { length }] of this.#queues) if (other !== tenant) count += Math.min(length, ownLength + 1);
    return count;
  }

  add(start: () => void, tenant: string): void {
    const queue = this.#queues.get(tenant);
    if (queue === undefined) this.#queues.set(tenant, [start]);
    else queue.push(start);
    this.#length += 1;
  }

  next(): (() => void) | undefined {
    const [firstQueue] = this.#queues;
    if (firstQueue === undefined) return undefined;
    const [tenant, queue] = firstQueue;
    const start = queue.shift();
    this.#queues.delete(tenant);
    if (queue.length > 0) this.#queues.set(tenant, queue);
    this.#length -= 1;
    return start;
  }
}

/**
 * Queues requests while the event loop is busy. Iterations stay short. Refuses a request immediately if its expected
 * wait exceeds `longestWaitMs`. `now` returns milliseconds; `later` schedules a function for the next iteration.
 */
export function createRequestQueue(
  longestWaitMs: number,
  now: () => number = () => performance.now(),
  later: (run: () => void) => void = setImmediate,
): RequestQueue {
  const waitingRequests = new WaitingRequests();
  const expected = createExpectedWait(countedMs, now);
  let iterationStartedMs: number | null = null;
  let scheduled = 0;

  /** Returns how long the current iteration has worked, in ms. */
  const workedMs = (): number => {
    const nowMs = now();
    if (iterationStartedMs !== null) return nowMs - iterationStartedMs;
    iterationStartedMs = nowMs;
    later(() => (iterationStartedMs = null));
    return 0;
  };

  function schedule(): void {
    scheduled = Math.min(waitingRequests.length, perIteration);
    // One callback per request, so that the synchronous part of a request ends before the next request starts.
    for (let count = scheduled; count > 0; count -= 1) later(startNext);
  }

  function startNext(): void {
    scheduled -= 1;
    const start = workedMs() < iterationMs ? waitingRequests.next() : undefined;
    if (start !== undefined) expected.started();
    // Schedules before starting, so that a request that fails to start does not stall the others.
    if (scheduled === 0 && waitingRequests.length > 0) schedule();
    start?.();
  }

  return {
    take: (start, tenant) => {
      const worked = workedMs();
      if (waitingRequests.length === 0) {
        expected.begin();
        if (worked < iterationMs) {
          start();
          return true;
        }
      }
      if (expected.behindMs(waitingRequests.before(tenant)) > longestWaitMs) return false;
      waitingRequests.add(start, tenant);
      if (scheduled === 0) schedule();
      return true;
    },
  };
}
