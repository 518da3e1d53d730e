import type { Caller } from '../access/caller.ts';
import { createRecentCosts } from '../concurrency/recent-costs.ts';
import { once } from '../concurrency/release.ts';
import { Problem } from '../problems/problem.ts';

/** Whose request it is. */
export type AdmittedCaller = Pick<Caller, 'organizationId' | 'authorizationId'>;

/** Decides which requests for rows are begun: each with all of its queries, or refused at once. */
export interface Admission {
  /** Admits a request with so many queries. Raises Problem `overloaded` with the seconds after which to ask again. */
  readonly admit: (caller: AdmittedCaller, queries: number) => AdmittedQueries;
  /** Queries that are admitted and not answered yet. */
  readonly pending: () => number;
}

/** The queries of a request that was admitted. */
export interface AdmittedQueries {
  /** One of them took so long in the engine, in milliseconds; 0 where it ran elsewhere. */
  readonly ran: (ms: number) => void;
  /** One of them has been answered. */
  readonly answered: () => void;
  /** Nobody waits for those that are left. */
  readonly end: () => void;
}

export interface AdmissionOptions {
  /** How long a request may be expected to wait for its last answer, in milliseconds. */
  readonly waitMs: number;
  /** Statements of queries in the engine: those that run, and those that wait for a place. */
  readonly load: () => { readonly running: number; readonly waiting: number };
  /** Milliseconds on any clock that only runs on. */
  readonly now: () => number;
}

/** So long after a request a caller is taken to still look at what it answered. */
const visitMs = 60_000;
/** Callers whose last requests are remembered. */
const mostVisitors = 10_000;
/**
 * The share of the longest wait that others may cause for a new caller. Where all had the same chance, three times as many viewers as
 * could be served all got their first charts, and hardly anybody the charts after the next filter.
 */
const newcomerShare = 1 / 8;

/** How much the last request counts against those before, and how wrong an estimate is taken to be at most. */
const [latenessWeight, mostLate] = [0.2, 10];

/** How many times as long as expected requests lately took: other programs take processor time, and callers who come later take turns first. */
function createLateness() {
  let factor = 1;
  return {
    factor: (): number => factor,
    learn: (expectedMs: number, tookMs: number): void => {
      if (expectedMs <= 0) return;
      const late = Math.min(mostLate, Math.max(1, tookMs / expectedMs));
      factor += latenessWeight * (late - factor);
    },
  };
}

/** Callers by when they last asked and were admitted. */
function createVisitors(now: () => number) {
  const last = new Map<string, number>();
  return {
    isHere: (caller: string): boolean => now() - (last.get(caller) ?? -Infinity) < visitMs,
    came: (caller: string): void => {
      last.delete(caller);
      last.set(caller, now());
      const [oldest] = last.keys();
      if (last.size > mostVisitors && oldest !== undefined) last.delete(oldest);
    },
  };
}

const retryAtMostS = 30;

interface ExpectedWait {
  readonly allMs: number;
  readonly othersMs: number;
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0);

/** Work of others that comes before the end of own work where all take turns: of each no more than the own. */
const withTurns = (ownMs: number, othersMs: readonly number[]): number =>
  ownMs + sum(othersMs.map((otherMs) => Math.min(otherMs, ownMs)));

/**
 * Admits requests by how long they would wait, from what queries of their callers lately took in the engine, where callers of an
 * organization take turns and so do organizations; new callers are refused before those who were here lately. specification/data-queries#when-the-service-is-busy
 */
export function createAdmission({ waitMs, load, now }: AdmissionOptions): Admission {
  const costs = createRecentCosts();
  const visitors = createVisitors(now);
  const lateness = createLateness();
  /** Pending queries by organization and caller. */
  const organizations = new Map<string, Map<string, number>>();

  const kindsOf = (organizationId: string, authorizationId: string): readonly string[] => [
    `${organizationId} ${authorizationId}`,
    organizationId,
    '',
  ];
  const pendingMs = (organizationId: string, authorizationId: string, queries: number): number =>
    queries * (costs.of(kindsOf(organizationId, authorizationId)) ?? 0);
  const change = ({ organizationId, authorizationId }: AdmittedCaller, by: number): void => {
    const callers = organizations.get(organizationId) ?? new Map<string, number>();
    const left = (callers.get(authorizationId) ?? 0) + by;
    if (left > 0) callers.set(authorizationId, left);
    else callers.delete(authorizationId);
    if (callers.size > 0) organizations.set(organizationId, callers);
    else organizations.delete(organizationId);
  };
  /** How long a request would wait for its last answer, and what part of that others cause. */
  const expected = ({ organizationId, authorizationId }: AdmittedCaller, queries: number): ExpectedWait => {
    const { running, waiting } = load();
    if (waiting === 0) return { allMs: 0, othersMs: 0 };
    const backlogs = [...organizations].map(([organization, callers]) => ({
      isOwn: organization === organizationId,
      callers: [...callers].map(([caller, count]) => ({ caller, ms: pendingMs(organization, caller, count) })),
    }));
    const colleagues = backlogs.flatMap(({ isOwn, callers }) => (isOwn ? callers : []));
    const mine = colleagues.filter(({ caller }) => caller === authorizationId).map(({ ms }) => ms);
    const theirs = colleagues.filter(({ caller }) => caller !== authorizationId).map(({ ms }) => ms);
    const ownMs = pendingMs(organizationId, authorizationId, queries) + sum(mine);
    const others = backlogs.flatMap(({ isOwn, callers }) => (isOwn ? [] : [sum(callers.map(({ ms }) => ms))]));
    const allMs = withTurns(withTurns(ownMs, theirs), others);
    return { allMs: allMs / Math.max(1, running), othersMs: (allMs - ownMs) / Math.max(1, running) };
  };
  return {
    pending: () => sum([...organizations.values()].flatMap((callers) => [...callers.values()])),
    admit: (caller, queries) => {
      const estimate = expected(caller, queries);
      const [allMs, othersMs] = [estimate.allMs * lateness.factor(), estimate.othersMs * lateness.factor()];
      const isFull = !visitors.isHere(caller.authorizationId) && othersMs > waitMs * newcomerShare;
      if (allMs > waitMs || isFull) {
        const retryAfterS = Math.ceil((isFull ? othersMs : allMs - waitMs / 2) / 1000);
        throw new Problem('overloaded', { retryAfterS: Math.min(retryAtMostS, Math.max(1, retryAfterS)) });
      }
      visitors.came(caller.authorizationId);
      const beganMs = now();
      let left = queries;
      change(caller, queries);
      const end = once(() => {
        change(caller, -left);
        left = 0;
      });
      return {
        ran: (ms) => costs.learn(kindsOf(caller.organizationId, caller.authorizationId), ms),
        answered: () => {
          if (left === 0) return;
          left -= 1;
          change(caller, -1);
          if (left === 0) lateness.learn(estimate.allMs, now() - beganMs);
        },
        end,
      };
    },
  };
}
