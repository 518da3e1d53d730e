import { describe, expect, it } from 'vitest';
import { NoFreePlace, Problem } from '../problems/problem.ts';
import { Admission, type AdmittedCaller, type AdmittedQueries, type QueuePlace } from './admission.ts';

const caller = (authorizationId: string, organizationId = 'acme'): AdmittedCaller => ({
  organizationId,
  authorizationId,
});

/** Creates an admission with a load set by the test; initially two statements run and none waits. */
const queriesIn = (place: QueuePlace, count: number): readonly QueuePlace[] =>
  Array.from({ length: count }, () => place);

function admitting(waitMs: number, place: QueuePlace = 'engine') {
  const load = { running: 2, waiting: 0 };
  const clock = { ms: 0 };
  const admissions = new Admission({ waitMs, engineLoad: () => load, sourceSize: 5, now: () => clock.ms });
  const admission = {
    admit: (who: AdmittedCaller, count: number) => admissions.admit(who, queriesIn(place, count)),
    get pending() {
      return admissions.pending;
    },
  };
  /** Creates a caller whose queries took this long before. */
  const known = (who: AdmittedCaller, ms: number): AdmittedCaller => {
    const one = admission.admit(who, 1);
    one.ran(place, ms);
    one.end();
    return who;
  };
  /** Returns the seconds after which a refused request may retry; 0 if it is admitted. */
  const refused = (who: AdmittedCaller, queries: number): number => {
    try {
      admission.admit(who, queries).end();
      return 0;
    } catch (error) {
      if (error instanceof Problem) return error.data.retryAfterS ?? -1;
      throw error;
    }
  };
  return { load, clock, admission, known, refused };
}

describe('requests for rows', () => {
  it('are admitted whatever they take, as long as no statement waits', () => {
    const { known, refused } = admitting(1000);
    expect(refused(known(caller('ada'), 60_000), 100)).toBe(0);
  });

  it('of a burst are refused once they would wait too long, with the time after which to come again', () => {
    const { load, admission, known, refused } = admitting(10_000);
    load.waiting = 1;
    const viewers = Array.from({ length: 100 }, (_, index) => known(caller(`viewer ${index}`), 100));
    const admitted: AdmittedQueries[] = [];
    for (const viewer of viewers) if (refused(viewer, 12) === 0) admitted.push(admission.admit(viewer, 12));
    // Two run at once, each request has 1.2 s of work: this many finish within ten seconds.
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

  it('of a new caller are refused before those of viewers who are already here', () => {
    const { load, clock, admission, known, refused } = admitting(8000);
    const here = known(caller('here'), 100);
    const burst = Array.from({ length: 30 }, (_, index) => known(caller(`viewer ${index}`), 100));
    load.waiting = 1;
    const admitted = burst.slice(0, 3).map((one) => admission.admit(one, 12));
    // Three others, each with 1.2 s of work for two at once: 1.8 s, which exceeds an eighth of 8 s.
    expect([refused(here, 12), refused(caller('new'), 12)]).toEqual([0, 2]);
    for (const one of admitted) one.end();
    expect(refused(caller('new'), 12)).toBe(0);
    for (const one of burst.slice(0, 3)) admission.admit(one, 12);
    clock.ms += 61_000;
    expect(refused(here, 12)).toBe(2);
  });

  it('of a new caller with heavy queries of their own are admitted where hardly anybody waits', () => {
    const { load, admission, refused, known } = admitting(8000);
    known(caller('light'), 10);
    admission.admit(caller('light'), 2);
    known(caller('heavy'), 3000);
    load.waiting = 1;
    expect(refused(caller('another'), 4)).toBe(0);
  });

  it('are expected to take longer once requests took longer than expected', () => {
    const { load, clock, admission, known, refused } = admitting(8000);
    const here = known(caller('here'), 100);
    load.waiting = 1;
    const others = Array.from({ length: 8 }, (_, index) => known(caller(`viewer ${index}`), 100));
    for (const one of others.slice(0, 5)) admission.admit(one, 12);
    expect(refused(here, 12)).toBe(0);
    // Expected after 3.6 s, but answered after 36 s.
    const late = others.slice(5).map((one) => admission.admit(one, 12));
    clock.ms += 36_000;
    for (const one of late) for (let query = 0; query < 12; query += 1) one.answered(query);
    expect(refused(here, 12)).toBeGreaterThan(0);
  });

  it('leave nothing behind, however they end', () => {
    const { admission } = admitting(1000);
    const one = admission.admit(caller('ada'), 3);
    const other = admission.admit(caller('ada'), 2);
    one.answered(1);
    one.answered(1);
    expect(admission.pending).toBe(4);
    one.end();
    one.end();
    one.answered(0);
    expect(admission.pending).toBe(2);
    other.answered(0);
    other.answered(1);
    other.end();
    expect(admission.pending).toBe(0);
  });

  it('of a source are refused once its connections would be in use for too long, whatever the engine does', () => {
    const { load, admission, known, refused } = admitting(10_000, 'source a');
    load.waiting = 0;
    const viewers = Array.from({ length: 100 }, (_, index) => known(caller(`viewer ${index}`), 100));
    const admitted: AdmittedQueries[] = [];
    for (const viewer of viewers) if (refused(viewer, 12) === 0) admitted.push(admission.admit(viewer, 12));
    // Five run at once, each request has 1.2 s of work: this many finish within ten seconds.
    expect(admitted).toHaveLength(41);
    for (const one of admitted) one.end();
    expect(refused(viewers[99] ?? caller(''), 12)).toBe(0);
  });

  it('of one source do not wait for another', () => {
    const admission = new Admission({
      waitMs: 1000,
      engineLoad: () => ({ running: 2, waiting: 0 }),
      sourceSize: 5,
      now: () => 0,
    });
    const slow = admission.admit(caller('slow'), queriesIn('source a', 50));
    slow.ran('source a', 10_000);
    expect(() => admission.admit(caller('slow'), queriesIn('source a', 1))).toThrow(NoFreePlace);
    const both = [...queriesIn('engine', 3), ...queriesIn('source b', 3)];
    const other = admission.admit(caller('slow'), both);
    expect(() => admission.admit(caller('slow'), [...both, 'source a'])).toThrow(NoFreePlace);
    expect(admission.pending).toBe(56);
    slow.end();
    other.end();
    expect(admission.pending).toBe(0);
  });
});
