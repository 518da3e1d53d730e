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
}

const retryAtMostS = 30;

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0);

/** Work of others that comes before the end of own work where all take turns: of each no more than the own. */
const withTurns = (ownMs: number, othersMs: readonly number[]): number =>
  ownMs + sum(othersMs.map((otherMs) => Math.min(otherMs, ownMs)));

/**
 * Admits requests by how long they would wait, from what queries of their callers lately took in the engine, where callers of an
 * organization take turns and so do organizations. specification/data-queries#when-the-service-is-busy
 */
export function createAdmission({ waitMs, load }: AdmissionOptions): Admission {
  const costs = createRecentCosts();
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
  const expectedMs = ({ organizationId, authorizationId }: AdmittedCaller, queries: number): number => {
    const { running, waiting } = load();
    if (waiting === 0) return 0;
    const backlogs = [...organizations].map(([organization, callers]) => ({
      isOwn: organization === organizationId,
      callers: [...callers].map(([caller, count]) => ({ caller, ms: pendingMs(organization, caller, count) })),
    }));
    const colleagues = backlogs.flatMap(({ isOwn, callers }) => (isOwn ? callers : []));
    const mine = colleagues.filter(({ caller }) => caller === authorizationId).map(({ ms }) => ms);
    const theirs = colleagues.filter(({ caller }) => caller !== authorizationId).map(({ ms }) => ms);
    const ownMs = pendingMs(organizationId, authorizationId, queries) + sum(mine);
    const others = backlogs.flatMap(({ isOwn, callers }) => (isOwn ? [] : [sum(callers.map(({ ms }) => ms))]));
    return withTurns(withTurns(ownMs, theirs), others) / Math.max(1, running);
  };
  return {
    pending: () => sum([...organizations.values()].flatMap((callers) => [...callers.values()])),
    admit: (caller, queries) => {
      const expected = expectedMs(caller, queries);
      if (expected > waitMs) {
        const retryAfterS = Math.ceil((expected - waitMs / 2) / 1000);
        throw new Problem('overloaded', { retryAfterS: Math.min(retryAtMostS, Math.max(1, retryAfterS)) });
      }
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
        },
        end,
      };
    },
  };
}
