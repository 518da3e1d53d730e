import { createExpectedWait } from '../../concurrency/expected-wait.ts';
import { StoreBusy, StoreUnavailable } from '../store.ts';

/** Limits of a pool. */
interface PoolLimits {
  /** Concurrent users per connection. */
  readonly capacity: number;
  /** Callers whose expected wait is longer are refused immediately. */
  readonly longestWaitMs: number;
  /** Callers that still wait after this time are refused. */
  readonly patienceMs: number;
  /**
   * How many callers in one iteration of the event loop share a connection, so that their statements are sent in one
   * packet.
   */
  readonly together?: number;
}

/** A pool of connections. Callers get the least loaded one, wait in a queue, or are refused. */
export class ConnectionPool<Connection> {
  readonly #limits: Required<PoolLimits>;
  /** Number of callers per connection. */
  readonly #load: Map<Connection, number>;
  readonly #waiting = new Set<(connection: Connection) => void>();
  readonly #expected = createExpectedWait();
  /** Connection for further callers in this iteration of the event loop. */
  #shared: { readonly connection: Connection; left: number } | undefined;

  constructor(connections: readonly Connection[], limits: PoolLimits) {
    this.#limits = { together: 1, ...limits };
    this.#load = new Map(connections.map((connection) => [connection, 0]));
  }

  /** Raises StoreBusy immediately if the expected wait is too long, and StoreUnavailable after waiting too long. */
  async acquire(): Promise<Connection> {
    if (this.#waiting.size === 0) {
      const connection = this.#tryAcquire();
      if (connection !== undefined) return connection;
      this.#expected.begin();
    }
    if (this.#expected.behindMs(this.#waiting.size) > this.#limits.longestWaitMs)
      throw new StoreBusy('too many are waiting for a connection');
    return this.#wait();
  }

  release(connection: Connection): void {
    this.#load.set(connection, (this.#load.get(connection) ?? 1) - 1);
    const [firstWaiter] = this.#waiting;
    const freeConnection = firstWaiter === undefined ? undefined : this.#tryAcquire();
    if (firstWaiter === undefined || freeConnection === undefined) return;
    this.#waiting.delete(firstWaiter);
    this.#expected.started();
    firstWaiter(freeConnection);
  }

  #tryAcquire(): Connection | undefined {
    return this.#tryShared() ?? this.#tryLeastLoaded();
  }

  #tryShared(): Connection | undefined {
    if (this.#shared === undefined || this.#shared.left === 0) return undefined;
    const { connection } = this.#shared;
    const { capacity } = this.#limits;
    const load = this.#load.get(connection) ?? capacity;
    if (load >= capacity) return undefined;
    this.#shared.left -= 1;
    this.#load.set(connection, load + 1);
    return connection;
  }

  #tryLeastLoaded(): Connection | undefined {
    const { capacity, together } = this.#limits;
    let chosenConnection: Connection | undefined;
    let leastLoad = capacity;
    for (const [connection, load] of this.#load)
      if (load < leastLoad) {
        chosenConnection = connection;
        leastLoad = load;
      }
    if (chosenConnection === undefined) return undefined;
    this.#load.set(chosenConnection, leastLoad + 1);
    if (together > 1) this.#share(chosenConnection, together - 1);
    return chosenConnection;
  }

  /** Shares a connection with the next callers in this iteration of the event loop. */
  #share(connection: Connection, remaining: number): void {
    if (this.#shared === undefined) setImmediate(() => (this.#shared = undefined));
    this.#shared = { connection, left: remaining };
  }

  #wait(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const serve = (connection: Connection): void => {
        clearTimeout(timer);
        resolve(connection);
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(serve);
        reject(new StoreUnavailable('no connection to the store became free in time'));
      }, this.#limits.patienceMs);
      this.#waiting.add(serve);
    });
  }
}
