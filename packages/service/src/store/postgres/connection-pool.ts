import { createExpectedWait } from '../../concurrency/expected-wait.ts';
import { StoreBusy, StoreUnavailable } from '../store.ts';

/** A pool of connections. Callers get the least loaded one, wait in line, or are refused. */
export interface ConnectionPool<Connection> {
  /** Raises StoreBusy at once where the expected wait is too long, and StoreUnavailable where the wait becomes too long. */
  acquire(): Promise<Connection>;
  release(connection: Connection): void;
}

/** Limits of a pool. */
interface PoolLimits {
  /** How many callers may use one connection at the same time. */
  readonly capacity: number;
  /** Callers with a longer expected wait are refused at once. */
  readonly longestWaitMs: number;
  /** Callers who still wait after this time are refused. */
  readonly patienceMs: number;
  /** How many callers of one iteration of the event loop share a connection, so that their statements go out in one packet. */
  readonly together?: number;
}

/** Makes a pool of these connections. */
export function connectionPool<Connection>(
  connections: readonly Connection[],
  { capacity, patienceMs, longestWaitMs, together = 1 }: PoolLimits,
): ConnectionPool<Connection> {
  const load = new Map(connections.map((connection) => [connection, 0]));
  const waiting = new Set<(connection: Connection) => void>();
  const expected = createExpectedWait();
  let last: { readonly connection: Connection; left: number } | undefined;

  const shared = (): Connection | undefined => {
    if (last === undefined || last.left === 0) return undefined;
    const { connection } = last;
    const used = load.get(connection) ?? capacity;
    if (used >= capacity) return undefined;
    last.left -= 1;
    load.set(connection, used + 1);
    return connection;
  };

  const tryAcquire = (): Connection | undefined => {
    const same = shared();
    if (same !== undefined) return same;
    let chosen: Connection | undefined;
    let least = capacity;
    for (const [connection, used] of load) {
      if (used < least) {
        chosen = connection;
        least = used;
      }
    }
    if (chosen === undefined) return undefined;
    load.set(chosen, least + 1);
    if (together > 1) {
      if (last === undefined) setImmediate(() => (last = undefined));
      last = { connection: chosen, left: together - 1 };
    }
    return chosen;
  };

  const wait = (): Promise<Connection> =>
    new Promise((resolve, reject) => {
      const serve = (connection: Connection): void => {
        clearTimeout(timer);
        resolve(connection);
      };
      const timer = setTimeout(() => {
        waiting.delete(serve);
        reject(new StoreUnavailable('no connection to the store became free in time'));
      }, patienceMs);
      waiting.add(serve);
    });

  return {
    async acquire() {
      if (waiting.size === 0) {
        const connection = tryAcquire();
        if (connection !== undefined) return connection;
        expected.begin();
      }
      if (expected.behindMs(waiting.size) > longestWaitMs) throw new StoreBusy('too many are waiting for a connection');
      return wait();
    },
    release(connection) {
      load.set(connection, (load.get(connection) ?? 1) - 1);
      const [first] = waiting;
      const acquired = first === undefined ? undefined : tryAcquire();
      if (first === undefined || acquired === undefined) return;
      waiting.delete(first);
      expected.started();
      first(acquired);
    },
  };
}
