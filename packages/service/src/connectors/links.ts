import { createHash } from 'node:crypto';
import { onEnd } from '../concurrency/release.ts';
import { createBreaker, type Breaker } from '../outbound/breaker.ts';
import type { ConnectionParams } from './connector.ts';
import { SourceProblem, type SourceCause } from './problem.ts';

/** How connections of one kind of source are opened and ended. */
export interface LinkKind<Link> {
  open(params: ConnectionParams, deadlineMs: number, signal: AbortSignal): Promise<Link>;
  /** Whether it can be used again. */
  isSound(link: Link): boolean;
  close(link: Link): void;
}

/** A leased connection. */
export interface Lease<Link> {
  readonly link: Link;
  /** Returns it to its pool; `keep` false ends the connection. Further calls do nothing. */
  release(this: void, keep: boolean): void;
}

export interface LinksOptions {
  /** Maximum connections to one target. */
  readonly size: number;
  /** Maximum callers that wait for one target. */
  readonly waiting: number;
  /** Maximum connections to all targets. */
  readonly total: number;
  readonly idleMs: number;
  readonly now: () => number;
}

interface Waiter {
  readonly wake: () => void;
}

/** The connections of one target, and the callers that wait for one. */
class Target<Link> {
  readonly breaker: Breaker;
  readonly idle: { readonly link: Link; readonly since: number }[] = [];
  /** Idle, leased or being opened. */
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

  /** Waits until a connection may be free. Raises SourceProblem `busy` at the deadline, and `aborted`. */
  wait(deadline: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      let unsubscribe = (): void => undefined;
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        unsubscribe();
        const at = this.#waiters.indexOf(waiter);
        if (at >= 0) this.#waiters.splice(at, 1);
        act();
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

/** Causes in the source itself instead of in one query. Wrong passwords are among them, since they lock users out. */
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

/** Identifies connections that may be shared: those with the same credentials and properties. */
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
        Object.entries(params.properties).toSorted(([one], [two]) => (one < two ? -1 : 1)),
      ]),
    )
    .digest('base64url');

/** Small pools of connections, one for each target, so that a dead source takes nobody else with it. */
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

  /** Raises SourceProblem `busy`, `unavailable`, `timeout`, `aborted` and what opening raises. */
  async lease(params: ConnectionParams, deadlineMs: number, signal: AbortSignal): Promise<Lease<Link>> {
    const deadline = Date.now() + deadlineMs;
    const target = this.#targetOf(params);
    const idle = await this.#idleLink(target, deadline, signal);
    return this.#lend(target, idle ?? (await this.#open(target, params, Math.max(1, deadline - Date.now()), signal)));
  }

  /** Leased connections, and callers that wait for one; for metrics. */
  held(): number {
    return this.#sum(({ open, idle, waiting }) => open - idle.length + waiting);
  }

  /** Number of open connections, idle, leased or being opened; for metrics and tests. */
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
    const known = this.#targets.get(identity);
    if (known !== undefined) return known;
    const target = new Target<Link>(createBreaker({ failures: breakAfter, pauseMs, now: this.#options.now }));
    this.#targets.set(identity, target);
    return target;
  }

  #end(target: Target<Link>, link: Link): void {
    target.open -= 1;
    this.#kind.close(link);
    target.wakeNext();
  }

  /** Ends connections that were idle for long or broke, and forgets targets without any. */
  #tidy(): void {
    const { now, idleMs } = this.#options;
    for (const [identity, target] of this.#targets) {
      const stale = target.idle.filter(({ link, since }) => !this.#kind.isSound(link) || now() - since >= idleMs);
      for (const entry of stale) {
        target.idle.splice(target.idle.indexOf(entry), 1);
        this.#end(target, entry.link);
      }
      if (target.isUnused) this.#targets.delete(identity);
    }
  }

  /** Ends the connection that was idle longest, of whatever target; false if none is idle. */
  #makeRoom(): boolean {
    const idle = [...this.#targets.values()].flatMap((target) => target.idle.map((entry) => ({ target, entry })));
    const [oldest] = idle.toSorted((one, two) => one.entry.since - two.entry.since);
    if (oldest === undefined) return false;
    oldest.target.idle.splice(oldest.target.idle.indexOf(oldest.entry), 1);
    this.#end(oldest.target, oldest.entry.link);
    return true;
  }

  #lend(target: Target<Link>, link: Link): Lease<Link> {
    let isLent = true;
    return {
      link,
      release: (keep) => {
        if (!isLent) return;
        isLent = false;
        if (!keep || !this.#kind.isSound(link) || this.#isClosed) return this.#end(target, link);
        target.idle.push({ link, since: this.#options.now() });
        target.wakeNext();
      },
    };
  }

  /** An idle connection; undefined once another may be opened, which counts as open from then on. */
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

  /** Raises SourceProblem `unavailable` while closing, and `aborted`; the next caller is woken in place of this one. */
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
      // The next caller may succeed, or fails in the same way.
      target.wakeNext();
      if (!isTried) throw error;
      if (error instanceof SourceProblem && countsAgainst.has(error.cause)) target.breaker.failed();
      else target.breaker.released();
      throw error;
    }
  }
}
