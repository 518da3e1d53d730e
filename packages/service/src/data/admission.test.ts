import { describe, expect, it } from 'vitest';
import { Problem } from '../problems/problem.ts';
import { createAdmission, type AdmittedCaller, type AdmittedQueries } from './admission.ts';

const caller = (authorizationId: string, organizationId = 'acme'): AdmittedCaller => ({
  organizationId,
  authorizationId,
});

/** An admission over the load that the test sets: two statements run, and none waits at first. */
function admitting(waitMs: number) {
  const load = { running: 2, waiting: 0 };
  const admission = createAdmission({ waitMs, load: () => load });
  /** A caller whose queries are known to take so long. */
  const known = (who: AdmittedCaller, ms: number): AdmittedCaller => {
    const one = admission.admit(who, 1);
    one.ran(ms);
    one.end();
    return who;
  };
  /** How many seconds a refused request is told to wait; 0 where it is admitted. */
  const refused = (who: AdmittedCaller, queries: number): number => {
    try {
      admission.admit(who, queries).end();
      return 0;
    } catch (error) {
      if (error instanceof Problem) return error.data.retryAfterS ?? -1;
      throw error;
    }
  };
  return { load, admission, known, refused };
}

describe('requests for rows', () => {
  it('are admitted whatever they take, as long as no statement waits', () => {
    const { known, refused } = admitting(1000);
    expect(refused(known(caller('ada'), 60_000), 100)).toBe(0);
  });

  it('of a crowd are refused once they would wait too long, with the time after which to come again', () => {
    const { load, admission, known, refused } = admitting(10_000);
    load.waiting = 1;
    const viewers = Array.from({ length: 100 }, (_, index) => known(caller(`viewer ${index}`), 100));
    const admitted: AdmittedQueries[] = [];
    for (const viewer of viewers) if (refused(viewer, 12) === 0) admitted.push(admission.admit(viewer, 12));
    // Two at once, 1.2 s of work each: so many are done within ten seconds.
    expect(admitted).toHaveLength(16);
    expect(refused(viewers[99] ?? caller(''), 12)).toBe(6);
    for (const one of admitted) one.end();
    expect(refused(viewers[99] ?? caller(''), 12)).toBe(0);
  });

  it('of a viewer of small charts are admitted beside a colleague with heavy queries, whose own are refused', () => {
    const { load, admission, known, refused } = admitting(20_000);
    const [heavy, light] = [known(caller('heavy'), 10_000), known(caller('light'), 20)];
    admission.admit(heavy, 8);
    load.waiting = 6;
    expect(refused(light, 12)).toBe(0);
    expect(refused(heavy, 8)).toBeGreaterThan(0);
  });

  it('of a quiet organization are admitted while another waits with very much', () => {
    const { load, admission, known, refused } = admitting(2000);
    const [quiet, loud] = [known(caller('ada', 'quiet'), 100), known(caller('bea', 'loud'), 100)];
    for (let index = 0; index < 40; index += 1) admission.admit(known(caller(`v${index}`, 'loud'), 1000), 12);
    load.waiting = 500;
    expect(refused(quiet, 12)).toBe(0);
    expect(refused(loud, 12)).toBeGreaterThan(0);
  });

  it('that ran elsewhere do not count', () => {
    const { load, known, refused } = admitting(1000);
    load.waiting = 50;
    expect(refused(known(caller('remote'), 0), 100)).toBe(0);
  });

  it('leave nothing behind, however they end', () => {
    const { admission } = admitting(1000);
    const one = admission.admit(caller('ada'), 3);
    const other = admission.admit(caller('ada'), 2);
    one.answered();
    expect(admission.pending()).toBe(4);
    one.end();
    one.end();
    one.answered();
    expect(admission.pending()).toBe(2);
    other.answered();
    other.answered();
    other.end();
    expect(admission.pending()).toBe(0);
  });
});
