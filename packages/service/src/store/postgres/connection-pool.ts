import { createExpectedWait } from '../../concurrency/expected-wait.ts';
import { StoreBusy, StoreUnavailable } from '../store.ts';

/** Limits of a pool. */
interface PoolLimits {
  /** Number of callers that may use a connection at the same time. */
  readonly capacity: number;
  /** Limit of the expected wait. A caller whose expected wait is longer is refused immediately. */
  readonly longestWaitMs: number;
  /** Limit of the actual wait. A caller that still waits after this time is refused. */
  readonly patienceMs: number;
  /**
   * Number of callers that may get the same connection in one iteration of the event loop, so that their statements are
   * sent in one packet.
   */
  readonly together?: number;
}

/** A pool of connections. Callers get the least loaded one, wait in a queue, or are refused. */
export class ConnectionPool<Connection> {
  readonly #limits: Required<PoolLimits>;
  /** For each connection, the number of callers that use it. */
  readonly #load: Map<Connection, number>;
  readonly #waiting = new Set<(connection: Connection) => void>();
  readonly #expected = createExpectedWait();
  /**
   * The connection that further callers in this iteration of the event loop get, and how many callers may still get it.
   */
  #shared: { readonly connection: Connection; left: number } | undefined;

  constructor(connections: readonly Connection[], limits: PoolLimits) {
    this.#limits = { together: 1, ...limits };
    this.#load = new Map(connections.map((connection) => [connection, 0]));
  }

  /**
   * Waits for a connection. Raises StoreBusy immediately if the expected wait is too long, and StoreUnavailable after
   * waiting too long.
   */
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
