import { createExpectedWait } from '../../concurrency/expected-wait.ts';

/**
 * How long requests are started in one iteration of the event loop, in milliseconds. Between iterations new requests are read, and
 * libuv accepts one new connection per iteration, so long iterations would make new clients wait to connect.
 */
const iterationMs = 4;
/** Longer times between two starts count as this: one long pause must not refuse the requests after it. */
const countedMs = 100;
/** Requests that are started in one iteration at most. */
const perIteration = 64;

/** Starts requests, those of several tenants in turns, a few milliseconds of work in each iteration of the event loop. */
export interface RequestQueue {
  /** Starts a request now or in a later iteration; false, and it never starts, where it would wait too long. */
  take(start: () => void, tenant: string): boolean;
}

/** Requests by tenant; the next is that of the tenant whose turn is longest ago. */
class WaitingRequests {
  readonly #queues = new Map<string, (() => void)[]>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** How many are started before another one of a tenant. */
  before(tenant: string): number {
    const own = this.#queues.get(tenant)?.length ?? 0;
    if (own === 0) return this.#queues.size;
    let count = own;
    for (const [other, { length }] of this.#queues) if (other !== tenant) count += Math.min(length, own + 1);
    return count;
  }

  add(start: () => void, tenant: string): void {
    const queue = this.#queues.get(tenant);
    if (queue === undefined) this.#queues.set(tenant, [start]);
    else queue.push(start);
    this.#length += 1;
  }

  next(): (() => void) | undefined {
    const [first] = this.#queues;
    if (first === undefined) return undefined;
    const [tenant, queue] = first;
    const start = queue.shift();
    this.#queues.delete(tenant);
    if (queue.length > 0) this.#queues.set(tenant, queue);
    this.#length -= 1;
    return start;
  }
}

/**
 * Queues requests while the event loop is busy. Its iterations stay short, so that a request whose expected wait is longer than
 * `longestWaitMs` is refused at once. `now` gives milliseconds; `later` runs something in the next iteration.
 */
export function createRequestQueue(
  longestWaitMs: number,
  now: () => number = () => performance.now(),
  later: (run: () => void) => void = setImmediate,
): RequestQueue {
  const waiting = new WaitingRequests();
  const expected = createExpectedWait(countedMs, now);
  let iterationStartedMs: number | null = null;
  let scheduled = 0;

  /** How long the present iteration has worked. */
  const workedMs = (): number => {
    const nowMs = now();
    if (iterationStartedMs !== null) return nowMs - iterationStartedMs;
    iterationStartedMs = nowMs;
    later(() => (iterationStartedMs = null));
    return 0;
  };

  function schedule(): void {
    scheduled = Math.min(waiting.length, perIteration);
    // One by one: what a request does at once is over before the next is started.
    for (let count = scheduled; count > 0; count -= 1) later(startNext);
  }

  function startNext(): void {
    scheduled -= 1;
    const start = workedMs() < iterationMs ? waiting.next() : undefined;
    if (start !== undefined) expected.started();
    // First, so that the others do not depend on how this one starts.
    if (scheduled === 0 && waiting.length > 0) schedule();
    start?.();
  }

  return {
    take: (start, tenant) => {
      const worked = workedMs();
      if (waiting.length === 0) {
        expected.begin();
        if (worked < iterationMs) {
          start();
          return true;
        }
      }
      if (expected.behindMs(waiting.before(tenant)) > longestWaitMs) return false;
      waiting.add(start, tenant);
      if (scheduled === 0) schedule();
      return true;
    },
  };
}
