import { createHash } from 'node:crypto';
import type { Breaker } from '../../outbound/breaker.ts';
import type { ConnectionParams } from '../connector.ts';
import { SourceProblem, type SourceCause } from '../problem.ts';
import { BulkheadProblem, type Bulkhead, type Compartment, type Lease } from './bulkhead.ts';

/** Opens and closes the sessions of one kind of source. */
export interface SessionKind<Session> {
  readonly open: (params: ConnectionParams, deadlineMs: number, signal: AbortSignal) => Promise<Session>;
  /** True if the session can be used again. */
  readonly isSound: (session: Session) => boolean;
  readonly close: (session: Session) => void;
}

/** A session leased from its pool. */
export interface SessionLease<Session> {
  readonly session: Session;
  /** Returns the session to its pool, or closes it if `keep` is false. Further calls do nothing. */
  release(this: void, keep: boolean): void;
}

export interface SessionPoolsOptions {
  readonly bulkhead: Bulkhead;
  /** Maximum number of sessions per target. */
  readonly size: number;
  /** Maximum number of waiting callers per target. */
  readonly waiting: number;
  /** Maximum number of open sessions of all pools together. At most as many leases must be possible. */
  readonly total: number;
  readonly idleMs: number;
  readonly now: () => number;
}

const refusals: Readonly<Record<BulkheadProblem['reason'], () => SourceProblem>> = {
  full: () => new SourceProblem('busy'),
  late: () => new SourceProblem('busy', 'All connections to this source stayed in use.'),
  aborted: () => new SourceProblem('aborted'),
  total: () => new SourceProblem('busy', 'Too many connections to sources are in use.'),
  closed: () => new SourceProblem('unavailable', 'The service is stopping.'),
};

/**
 * Causes that are a fault of the source, not of a single query. Wrong passwords are included, since repeated attempts
 * lock accounts.
 */
const countsAgainst = new Set<SourceCause>([
  'unknown_host',
  'refused',
  'tls',
  'timeout',
  'credentials',
  'limit',
  'unavailable',
  'failed',
]);

/**
 * Returns the key of a target. Sessions with the same account, address, credentials and properties have the same key.
 */
const identityOf = (params: ConnectionParams): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        params.organizationId,
        params.accountId,
        params.host,
        params.port,
        params.scope,
        params.identifier,
        params.token,
        Object.entries(params.properties).toSorted(([left], [right]) => (left < right ? -1 : 1)),
      ]),
    )
    .digest('base64url');

interface IdleSession<Session> {
  readonly session: Session;
  readonly sinceMs: number;
}

/** Idle sessions of one kind of source by target, and the leases of those in use. */
export class SessionPool<Session> {
  readonly #kind: SessionKind<Session>;
  readonly #compartment: Compartment;
  readonly #makeRoom: () => void;
  readonly #now: () => number;
  readonly #idle = new Map<string, IdleSession<Session>[]>();
  #open = 0;
  #isClosed = false;

  /** `makeRoom` is called before a session is opened. */
  constructor(kind: SessionKind<Session>, compartment: Compartment, makeRoom: () => void, now: () => number) {
    this.#kind = kind;
    this.#compartment = compartment;
    this.#makeRoom = makeRoom;
    this.#now = now;
  }

  /** Number of sessions that are idle, leased or being opened. */
  get open(): number {
    return this.#open;
  }

  /** Returns the number of leased sessions plus the number of waiting callers, for metrics. */
  held(): number {
    return this.#compartment.held();
  }

  /**
   * Leases a session. Raises SourceProblem `busy`, `unavailable`, `timeout` and `aborted`, and what opening a session
   * raises.
   */
  async lease(params: ConnectionParams, deadlineMs: number, signal: AbortSignal): Promise<SessionLease<Session>> {
    const deadline = Date.now() + deadlineMs;
    const identity = identityOf(params);
    const lease = await this.#enter(identity, deadline, signal);
    try {
      if (signal.aborted) throw new SourceProblem('aborted');
      const session =
        this.#takeIdle(identity) ??
        (await this.#openOne(lease.breaker, params, Math.max(1, deadline - Date.now()), signal));
      return this.#leased(identity, session, lease);
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  /** Time since which the longest idle session has been idle; undefined if none is. */
  get oldestMs(): number | undefined {
    const times = [...this.#idle.values()].flatMap(([oldest]) => (oldest === undefined ? [] : [oldest.sinceMs]));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Closes the session that has been idle longest. */
  closeOldest(): void {
    const sinceMs = this.oldestMs;
    for (const [identity, [oldest]] of this.#idle)
      if (oldest !== undefined && oldest.sinceMs === sinceMs) return this.#closeIdle(identity, [oldest]);
  }

  /** Closes sessions that are broken or have been idle for too long. */
  tidy(idleMs: number): void {
    const isStale = ({ session, sinceMs }: IdleSession<Session>): boolean =>
      !this.#kind.isSound(session) || this.#now() - sinceMs >= idleMs;
    for (const [identity, entries] of this.#idle) this.#closeIdle(identity, entries.filter(isStale));
  }

  close(): void {
    this.#isClosed = true;
    this.#compartment.close();
    for (const [identity, entries] of this.#idle) this.#closeIdle(identity, entries);
  }

  #closeIdle(identity: string, closing: readonly IdleSession<Session>[]): void {
    const remaining = (this.#idle.get(identity) ?? []).filter((entry) => !closing.includes(entry));
    if (remaining.length === 0) this.#idle.delete(identity);
    else this.#idle.set(identity, remaining);
    for (const { session } of closing) this.#end(session);
  }

  #end(session: Session): void {
    this.#open -= 1;
    this.#kind.close(session);
  }

  async #enter(identity: string, deadline: number, signal: AbortSignal): Promise<Lease> {
    try {
      return await this.#compartment.enter(identity, deadline, signal);
    } catch (error) {
      throw error instanceof BulkheadProblem ? refusals[error.reason]() : error;
    }
  }

  /** Takes the session that was used last. Closes broken sessions that it meets. */
  #takeIdle(identity: string): Session | undefined {
    const entries = this.#idle.get(identity) ?? [];
    for (let entry = entries.pop(); entry !== undefined; entry = entries.pop()) {
      if (entries.length === 0) this.#idle.delete(identity);
      if (this.#kind.isSound(entry.session)) return entry.session;
      this.#end(entry.session);
    }
    return undefined;
  }

  async #openOne(
    breaker: Breaker,
    params: ConnectionParams,
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<Session> {
    if (!breaker.admits()) throw new SourceProblem('unavailable');
    this.#makeRoom();
    this.#open += 1;
    try {
      const session = await this.#kind.open(params, deadlineMs, signal);
      breaker.succeeded();
      return session;
    } catch (error) {
      this.#open -= 1;
      if (error instanceof SourceProblem && countsAgainst.has(error.cause)) breaker.failed();
      else breaker.released();
      throw error;
    }
  }

  #leased(identity: string, session: Session, lease: Lease): SessionLease<Session> {
    let isLeased = true;
    return {
      session,
      release: (keep) => {
        if (!isLeased) return;
        isLeased = false;
        if (!keep || !this.#kind.isSound(session) || this.#isClosed) this.#end(session);
        else this.#idle.set(identity, [...(this.#idle.get(identity) ?? []), { session, sinceMs: this.#now() }]);
        lease.release();
      },
    };
  }
}

/** The session pools of all kinds of sources. */
export class SessionPools {
  readonly #options: SessionPoolsOptions;
  readonly #pools: Pick<SessionPool<never>, 'open' | 'held' | 'oldestMs' | 'closeOldest' | 'tidy' | 'close'>[] = [];
  readonly #tidying: NodeJS.Timeout;

  constructor(options: SessionPoolsOptions) {
    this.#options = options;
    const tidy = (): void => this.#pools.forEach((pool) => pool.tidy(options.idleMs));
    this.#tidying = setInterval(tidy, Math.max(50, options.idleMs / 4)).unref();
  }

  open<Session>(kind: SessionKind<Session>): SessionPool<Session> {
    const { bulkhead, size, waiting, now } = this.#options;
    const compartment = bulkhead.compartment({ size, waiting, failures: 5, pauseMs: 5000 });
    const pool = new SessionPool(kind, compartment, () => this.#makeRoom(), now);
    this.#pools.push(pool);
    return pool;
  }

  /** Returns the number of open sessions, for metrics and tests. */
  count(): number {
    return this.#pools.reduce((sum, { open }) => sum + open, 0);
  }

  /** Returns the number of leased sessions plus the number of waiting callers, for metrics. */
  held(): number {
    return this.#pools.reduce((sum, pool) => sum + pool.held(), 0);
  }

  close(): void {
    clearInterval(this.#tidying);
    for (const pool of this.#pools) pool.close();
  }

  /** Closes the session that has been idle longest, if the maximum number of sessions is open. */
  #makeRoom(): void {
    if (this.count() < this.#options.total) return;
    const idlePools = this.#pools.filter(({ oldestMs }) => oldestMs !== undefined);
    const [oldest] = idlePools.toSorted((left, right) => (left.oldestMs ?? 0) - (right.oldestMs ?? 0));
    oldest?.closeOldest();
  }
}
