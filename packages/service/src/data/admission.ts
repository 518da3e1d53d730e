import { Problem } from '../problems/problem.ts';

/** Which requests for rows are begun: each with all of its queries, or refused at once. */
export interface Admission {
  /**
   * Admits a request with so many queries. Raises Problem `overloaded` with the seconds after which to ask again.
   */
  readonly admit: (tenant: string, queries: number) => AdmittedQueries;
  /** Queries that are admitted and not answered yet. */
  readonly pending: () => number;
}

/** The queries of a request that was admitted. */
export interface AdmittedQueries {
  /** One of them has been answered. */
  readonly answered: () => void;
  /** Nobody waits for those that are left. */
  readonly end: () => void;
}

export interface AdmissionOptions {
  /** How long a request may be expected to wait for its last answer, in milliseconds. */
  readonly waitMs: number;
  /** Whether statements wait for a place at this moment: without that nothing does. */
  readonly isQueueing: () => boolean;
  /** Milliseconds of a clock that only goes on. */
  readonly now: () => number;
}

/** How much the newest interval between two answers counts. */
const weight = 0.1;
const retryAtMostS = 30;

/**
 * Admits requests by how long they would wait: tenants take turns, so ahead of a query are as many of each other tenant
 * as its own has, and answers come as fast as they lately did. specification/data-queries#when-the-service-is-busy
 */
export function createAdmission({ waitMs, isQueueing, now }: AdmissionOptions): Admission {
  const tenants = new Map<string, number>();
  let total = 0;
  /** Between two answers while statements queue; null until one was seen. */
  let intervalMs: number | null = null;
  let queueingSinceMs: number | null = null;

  const change = (tenant: string, by: number): void => {
    total += by;
    const left = (tenants.get(tenant) ?? 0) + by;
    if (left > 0) tenants.set(tenant, left);
    else tenants.delete(tenant);
  };
  const measure = (): void => {
    const atMs = now();
    if (queueingSinceMs !== null) {
      const sinceMs = atMs - queueingSinceMs;
      intervalMs = intervalMs === null ? sinceMs : intervalMs + (sinceMs - intervalMs) * weight;
    }
    queueingSinceMs = isQueueing() ? atMs : null;
  };
  const expectedMs = (tenant: string, queries: number): number => {
    if (!isQueueing()) return 0;
    const own = (tenants.get(tenant) ?? 0) + queries;
    const ahead = [...tenants.values()].reduce((sum, held) => sum + Math.min(held, own), queries);
    return ahead * (intervalMs ?? 0);
  };
  return {
    pending: () => total,
    admit: (tenant, queries) => {
      const expected = expectedMs(tenant, queries);
      if (expected > waitMs) {
        const retryAfterS = Math.ceil((expected - waitMs / 2) / 1000);
        throw new Problem('overloaded', { retryAfterS: Math.min(retryAtMostS, Math.max(1, retryAfterS)) });
      }
      let left = queries;
      change(tenant, queries);
      const drop = (by: number): void => {
        left -= by;
        change(tenant, -by);
      };
      return {
        answered: () => {
          measure();
          if (left > 0) drop(1);
        },
        end: () => {
          if (left > 0) drop(left);
        },
      };
    },
  };
}
