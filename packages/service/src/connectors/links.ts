import { createHash } from 'node:crypto';
import { onEnd } from '../concurrency/release.ts';
import { createBreaker, type Breaker } from '../outbound/breaker.ts';
import type { ConnectionParams } from './connector.ts';
import { SourceProblem, type SourceCause } from './problem.ts';

/** Opens and closes the connections to one kind of source. */
export interface LinkKind<Link> {
  open(params: ConnectionParams, deadlineMs: number, signal: AbortSignal): Promise<Link>;
  /** True if the connection can be reused. */
  isSound(link: Link): boolean;
  close(link: Link): void;
}

/** A connection leased from its pool. */
export interface Lease<Link> {
  readonly link: Link;
  /** Returns the connection to its pool, or closes it if `keep` is false. Further calls do nothing. */
  release(this: void, keep: boolean): void;
}

export interface LinksOptions {
  /** Maximum number of connections per target. */
  readonly size: number;
  /** Maximum number of waiting callers per target. */
  readonly waiting: number;
  /** Maximum number of connections to all targets together. */
  readonly total: number;
  readonly idleMs: number;
  readonly now: () => number;
}

interface Waiter {
  readonly wake: () => void;
}

/** The connections to one target, and the callers that wait for a connection. */
class Target<Link> {
  readonly breaker: Breaker;
  readonly idle: { readonly link: Link; readonly since: number }[] = [];
  /** Number of connections that are idle, leased or being opened. */
  open = 0;
  readonly #waiters: Waiter[] = [];

  constructor(breaker: Breaker) {
    this.breaker = breaker;
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  get isUnused(): boolean {
    return this.open === 0 && this.waiting === 0 && this.breaker.isFresh();
  }

  wakeNext(): void {
    this.#waiters.shift()?.wake();
  }

  wakeAll(): void {
    for (const waiter of this.#waiters.splice(0)) waiter.wake();
  }

  /**
   * Waits until a connection may be free. Raises SourceProblem `busy` at the deadline, and `aborted` if the signal
   * aborts.
   */
  wait(deadline: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      let unsubscribe = (): void => undefined;
      const settle = (action: () => void): void => {
        clearTimeout(timer);
        unsubscribe();
        const at = this.#waiters.indexOf(waiter);
        if (at >= 0) this.#waiters.splice(at, 1);
        action();
      };
      const waiter: Waiter = { wake: () => settle(resolve) };
      const timer = setTimeout(
        () => settle(() => reject(new SourceProblem('busy', 'All connections to this source stayed in use.'))),
        Math.max(1, deadline - Date.now()),
      );
      this.#waiters.push(waiter);
      unsubscribe = onEnd(signal, () => settle(() => reject(new SourceProblem('aborted'))));
    });
  }
}

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

const breakAfter = 5;
const pauseMs = 5_000;

/**
 * Returns the key of a target. Connections with the same account, address, credentials and properties have the same
 * key.
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

/**
 * A small connection pool for each target, so that a source that does not answer cannot use up the connections to other
 * sources.
 */
export class Links<Link> {
  readonly #kind: LinkKind<Link>;
  readonly #options: LinksOptions;
  readonly #targets = new Map<string, Target<Link>>();
  readonly #tidying: NodeJS.Timeout;
  #isClosed = false;

  constructor(kind: LinkKind<Link>, options: LinksOptions) {
    this.#kind = kind;
    this.#options = options;
    this.#tidying = setInterval(() => this.#tidy(), Math.max(50, options.idleMs / 4)).unref();
  }

  /**
   * Leases a connection. Raises SourceProblem `busy`, `unavailable`, `timeout` and `aborted`, and what opening a
   * connection raises.
   */
  async lease(params: ConnectionParams, deadlineMs: number, signal: AbortSignal): Promise<Lease<Link>> {
    const deadline = Date.now() + deadlineMs;
    const target = this.#targetOf(params);
    const idleLink = await this.#idleLink(target, deadline, signal);
    return this.#lend(
      target,
      idleLink ?? (await this.#open(target, params, Math.max(1, deadline - Date.now()), signal)),
    );
  }

  /** Returns the number of leased connections plus the number of waiting callers, for metrics. */
  held(): number {
    return this.#sum(({ open, idle, waiting }) => open - idle.length + waiting);
  }

  /** Returns the number of connections that are idle, leased or being opened, for metrics and tests. */
  count(): number {
    return this.#sum(({ open }) => open);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#tidying);
    for (const target of this.#targets.values()) {
      for (const { link } of target.idle.splice(0)) this.#end(target, link);
      target.wakeAll();
    }
  }

  #sum(of: (target: Target<Link>) => number): number {
    return [...this.#targets.values()].reduce((sum, target) => sum + of(target), 0);
  }

  #targetOf(params: ConnectionParams): Target<Link> {
    const identity = identityOf(params);
    const existingTarget = this.#targets.get(identity);
    if (existingTarget !== undefined) return existingTarget;
    const target = new Target<Link>(createBreaker({ failures: breakAfter, pauseMs, now: this.#options.now }));
    this.#targets.set(identity, target);
    return target;
  }

  #end(target: Target<Link>, link: Link): void {
    target.open -= 1;
    this.#kind.close(link);
    target.wakeNext();
  }

  /** Closes connections that are broken or have been idle for too long. Removes targets that have no connections. */
  #tidy(): void {
    const { now, idleMs } = this.#options;
    for (const [identity, target] of this.#targets) {
      const staleEntries = target.idle.filter(
        ({ link, since }) => !this.#kind.isSound(link) || now() - since >= idleMs,
      );
      for (const entry of staleEntries) {
        target.idle.splice(target.idle.indexOf(entry), 1);
        this.#end(target, entry.link);
      }
      if (target.isUnused) this.#targets.delete(identity);
    }
  }

  /** Closes the connection that has been idle longest, whatever its target. Returns false if no connection is idle. */
  #makeRoom(): boolean {
    const idleEntries = [...this.#targets.values()].flatMap((target) =>
      target.idle.map((entry) => ({ target, entry })),
    );
    const [oldest] = idleEntries.toSorted((left, right) => left.entry.since - right.entry.since);
    if (oldest === undefined) return false;
    oldest.target.idle.splice(oldest.target.idle.indexOf(oldest.entry), 1);
    this.#end(oldest.target, oldest.entry.link);
    return true;
  }

  #lend(target: Target<Link>, link: Link): Lease<Link> {
    let isLeased = true;
    return {
      link,
      release: (keep) => {
        if (!isLeased) return;
        isLeased = false;
        if (!keep || !this.#kind.isSound(link) || this.#isClosed) return this.#end(target, link);
        target.idle.push({ link, since: this.#options.now() });
        target.wakeNext();
      },
    };
  }

  /**
   * Returns an idle connection. Returns undefined if there is none but the caller may open one; a slot is then reserved
   * for it. Otherwise waits.
   */
  async #idleLink(target: Target<Link>, deadline: number, signal: AbortSignal): Promise<Link | undefined> {
    const { size, total, waiting } = this.#options;
    for (;;) {
      this.#refuseEnded(target, signal);
      const entry = target.idle.pop();
      if (entry !== undefined && this.#kind.isSound(entry.link)) return entry.link;
      if (entry !== undefined) this.#end(target, entry.link);
      else if (target.open >= size) {
        if (target.waiting >= waiting) throw new SourceProblem('busy');
        await target.wait(deadline, signal);
      } else if (this.count() < total || this.#makeRoom()) {
        target.open += 1;
        return undefined;
      } else throw new SourceProblem('busy', 'Too many connections to sources are in use.');
    }
  }

  /**
   * Raises SourceProblem `unavailable` if the pools are closed, and `aborted` if the signal has aborted. Before that,
   * wakes the next caller.
   */
  #refuseEnded(target: Target<Link>, signal: AbortSignal): void {
    if (!signal.aborted && !this.#isClosed) return;
    target.wakeNext();
    throw this.#isClosed ? new SourceProblem('unavailable', 'The service is stopping.') : new SourceProblem('aborted');
  }

  async #open(target: Target<Link>, params: ConnectionParams, deadlineMs: number, signal: AbortSignal): Promise<Link> {
    let isTried = false;
    try {
      if (!target.breaker.admits()) throw new SourceProblem('unavailable');
      isTried = true;
      const link = await this.#kind.open(params, deadlineMs, signal);
      target.breaker.succeeded();
      return link;
    } catch (error) {
      target.open -= 1;
      // The next caller may succeed. If not, it must fail now, too, instead of waiting.
      target.wakeNext();
      if (!isTried) throw error;
      if (error instanceof SourceProblem && countsAgainst.has(error.cause)) target.breaker.failed();
      else target.breaker.released();
      throw error;
    }
  }
}
