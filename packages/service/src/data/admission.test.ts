import { describe, expect, it } from 'vitest';
import { Problem } from '../problems/problem.ts';
import { createAdmission } from './admission.ts';

/** An admission over a clock and a queue of the test. */
function admitting(waitMs: number) {
  const at = { ms: 0, isQueueing: false };
  const admission = createAdmission({ waitMs, isQueueing: () => at.isQueueing, now: () => at.ms });
  /** How many seconds a refused request is told to wait; 0 where it is admitted. */
  const refused = (tenant: string, queries: number): number => {
    try {
      admission.admit(tenant, queries).end();
      return 0;
    } catch (error) {
      if (error instanceof Problem) return error.data.retryAfterS ?? -1;
      throw error;
    }
  };
  return { at, admission, refused };
}

describe('requests for rows', () => {
  it('are admitted whatever came before, as long as no statement waits', () => {
    const { at, admission, refused } = admitting(1000);
    for (let index = 0; index < 50; index += 1) {
      const one = admission.admit('acme', 12);
      at.ms += 5000;
      one.answered();
    }
    expect(refused('acme', 12)).toBe(0);
  });

  it('are refused with the time after which to come again where they would wait too long', () => {
    const { at, admission, refused } = admitting(1000);
    at.isQueueing = true;
    const first = admission.admit('acme', 12);
    first.answered();
    for (let index = 0; index < 8; index += 1) {
      at.ms += 100;
      first.answered();
    }
    // Three are left, and ten answers come a second.
    expect(admission.pending()).toBe(3);
    expect(refused('acme', 7)).toBe(0);
    expect(refused('acme', 12)).toBe(1);
    expect(refused('acme', 100)).toBe(10);
    at.isQueueing = false;
    expect(refused('acme', 100)).toBe(0);
  });

  it('of a tenant with little under way are admitted while another waits with very much', () => {
    const { at, admission, refused } = admitting(1000);
    const loud = admission.admit('loud', 1000);
    at.isQueueing = true;
    for (let index = 0; index < 5; index += 1) {
      loud.answered();
      at.ms += 20;
    }
    expect(refused('loud', 12)).toBeGreaterThan(0);
    expect(refused('quiet', 12)).toBe(0);
  });

  it('that end leave nothing behind, however they end', () => {
    const { admission } = admitting(1000);
    const one = admission.admit('acme', 3);
    one.answered();
    one.end();
    one.end();
    one.answered();
    expect(admission.pending()).toBe(0);
  });

  it('are not measured by pauses in which nothing waits', () => {
    const { at, admission, refused } = admitting(1000);
    const one = admission.admit('acme', 30);
    one.answered();
    at.ms += 10_000;
    at.isQueueing = true;
    one.answered();
    at.ms += 1;
    one.answered();
    expect(refused('acme', 12)).toBe(0);
  });
});
