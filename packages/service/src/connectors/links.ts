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

/** A connection lent out. */
export interface Lease<Link> {
  readonly link: Link;
  /** Gives it back, once; `keep` false ends the connection. */
  release(this: void, keep: boolean): void;
}

/** Small pools of connections, one for each target, so that a dead source takes nobody else with it. */
export interface Links<Link> {
  /** Raises SourceProblem `busy`, `unavailable`, `timeout`, `aborted` and what opening raises. */
  lease(params: ConnectionParams, deadlineMs: number, signal: AbortSignal): Promise<Lease<Link>>;
  /** Connections that are lent out or waited for, for metrics. */
  held(): number;
  /** Number of open connections, idle, leased or being opened; for metrics and tests. */
  count(): number;
  close(): void;
}

export interface LinksOptions {
  /** Connections to one target at most. */
  readonly size: number;
  /** Callers that may wait for one target. */
  readonly waiting: number;
  /** Connections to all targets at most. */
  readonly total: number;
  readonly idleMs: number;
  readonly now: () => number;
}

interface Waiter {
  readonly wake: () => void;
}

interface Target<Link> {
  readonly breaker: Breaker;
  readonly idle: { readonly link: Link; readonly since: number }[];
  readonly waiters: Waiter[];
  open: number;
}

/** Causes that speak of the source itself, not of one query. Wrong passwords are among them: they lock users out. */
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

/** Everything that makes two connections different: whoever is let in with other credentials shares none. */
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

export function createLinks<Link>(kind: LinkKind<Link>, options: LinksOptions): Links<Link> {
  const targets = new Map<string, Target<Link>>();
  let closed = false;
  const count = (): number => [...targets.values()].reduce((sum, { open }) => sum + open, 0);

  const targetOf = (params: ConnectionParams): Target<Link> => {
    const identity = identityOf(params);
    const known = targets.get(identity);
    if (known !== undefined) return known;
    const { now } = options;
    const made: Target<Link> = {
      breaker: createBreaker({ failures: breakAfter, pauseMs, now }),
      idle: [],
      waiters: [],
      open: 0,
    };
    targets.set(identity, made);
    return made;
  };

  const end = (target: Target<Link>, link: Link): void => {
    target.open -= 1;
    kind.close(link);
    target.waiters.shift()?.wake();
  };

  const tidy = (): void => {
    for (const [identity, target] of targets) {
      const stale = target.idle.filter(
        ({ link, since }) => !kind.isSound(link) || options.now() - since >= options.idleMs,
      );
      for (const entry of stale) {
        target.idle.splice(target.idle.indexOf(entry), 1);
        end(target, entry.link);
      }
      if (target.open === 0 && target.waiters.length === 0 && target.breaker.isFresh()) targets.delete(identity);
    }
  };
  const tidying = setInterval(tidy, Math.max(50, options.idleMs / 4));
  tidying.unref();

  /** Ends the connection that is idle longest, whoever it leads to. */
  const makeRoom = (): boolean => {
    const idle = [...targets.values()].flatMap((target) => target.idle.map((entry) => ({ target, entry })));
    const [oldest] = idle.toSorted((one, two) => one.entry.since - two.entry.since);
    if (oldest === undefined) return false;
    oldest.target.idle.splice(oldest.target.idle.indexOf(oldest.entry), 1);
    end(oldest.target, oldest.entry.link);
    return true;
  };

  const wait = (target: Target<Link>, deadline: number, signal: AbortSignal): Promise<void> => {
    if (target.waiters.length >= options.waiting) throw new SourceProblem('busy');
    return new Promise((resolve, reject) => {
      let deaf = (): void => undefined;
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        deaf();
        const at = target.waiters.indexOf(waiter);
        if (at >= 0) target.waiters.splice(at, 1);
        act();
      };
      const waiter: Waiter = { wake: () => settle(resolve) };
      const abort = (): void => settle(() => reject(new SourceProblem('aborted')));
      const timer = setTimeout(
        () => settle(() => reject(new SourceProblem('busy', 'All connections to this source stayed in use.'))),
        Math.max(1, deadline - Date.now()),
      );
      target.waiters.push(waiter);
      deaf = onEnd(signal, abort);
    });
  };

  const lent = (target: Target<Link>, link: Link): Lease<Link> => {
    let out = true;
    return {
      link,
      release(keep) {
        if (!out) return;
        out = false;
        if (!keep || !kind.isSound(link) || closed) return end(target, link);
        target.idle.push({ link, since: options.now() });
        target.waiters.shift()?.wake();
      },
    };
  };

  /** An idle connection, or nothing once room for another was taken. */
  const readyIn = async (target: Target<Link>, deadline: number, signal: AbortSignal): Promise<Link | undefined> => {
    for (;;) {
      if (signal.aborted || closed) {
        target.waiters.shift()?.wake();
        throw closed ? new SourceProblem('unavailable', 'The service is stopping.') : new SourceProblem('aborted');
      }
      const ready = target.idle.pop();
      if (ready !== undefined && kind.isSound(ready.link)) return ready.link;
      if (ready !== undefined) end(target, ready.link);
      else if (target.open >= options.size) await wait(target, deadline, signal);
      else if (count() < options.total || makeRoom()) {
        // Taken at once: whoever asks in the meantime sees it.
        target.open += 1;
        return undefined;
      } else throw new SourceProblem('busy', 'Too many connections to sources are in use.');
    }
  };

  const opened = async (
    target: Target<Link>,
    params: ConnectionParams,
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<Link> => {
    let tried = false;
    try {
      if (!target.breaker.admits()) throw new SourceProblem('unavailable');
      tried = true;
      const link = await kind.open(params, deadlineMs, signal);
      target.breaker.succeeded();
      return link;
    } catch (error) {
      target.open -= 1;
      // Whoever waits next may fare better, or is told the same.
      target.waiters.shift()?.wake();
      if (!tried) throw error;
      if (error instanceof SourceProblem && countsAgainst.has(error.cause)) target.breaker.failed();
      else target.breaker.released();
      throw error;
    }
  };

  return {
    async lease(params, deadlineMs, signal) {
      const deadline = Date.now() + deadlineMs;
      const target = targetOf(params);
      const ready = await readyIn(target, deadline, signal);
      return lent(target, ready ?? (await opened(target, params, Math.max(1, deadline - Date.now()), signal)));
    },
    held: () =>
      [...targets.values()].reduce((sum, { open, idle, waiters }) => sum + open - idle.length + waiters.length, 0),
    count,
    close() {
      closed = true;
      clearInterval(tidying);
      for (const target of targets.values()) {
        for (const { link } of target.idle.splice(0)) end(target, link);
        for (const waiter of target.waiters.splice(0)) waiter.wake();
      }
    },
  };
}
