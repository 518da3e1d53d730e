import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Command, WriteResult } from '../../packages/service/src/commands/command.ts';
import type { NewJob } from '../../packages/service/src/commands/job.ts';
import type { JobRun, JobType } from '../../packages/service/src/jobs/job.ts';
import { JobRunner, type JobRunnerContext } from '../../packages/service/src/jobs/runner.ts';
import { createMetrics } from '../../packages/service/src/metrics/metrics.ts';
import { NoFreePlace, Problem } from '../../packages/service/src/problems/problem.ts';
import { sql } from '../../packages/service/src/store/sql.ts';
import { StoreUnavailable, type Store } from '../../packages/service/src/store/store.ts';
import { storesToTest, startTestService, type TestService } from '../support/service.ts';

type ServiceStore = Store<Command, WriteResult>;

const at = (ms: number): string => new Date(ms).toISOString();
const hourMs = 3_600_000;

/** Returns a type whose runs are listed by subject. */
function listing(run: (run: JobRun) => Promise<void> = () => Promise.resolve(), options: Partial<JobType> = {}) {
  const subjects: string[] = [];
  const type: JobType = {
    name: `type ${randomUUID()}`,
    slots: 1,
    timeoutMs: 10_000,
    maxAttempts: 3,
    ...options,
    run: async (one) => {
      subjects.push(one.job.subject ?? '');
      await run(one);
      return null;
    },
  };
  return { type, subjects };
}

describe.each(storesToTest)('the job queue on %s', (name) => {
  let service: TestService;
  let store: ServiceStore;
  const clock = { ms: Date.now() };
  const failures: string[] = [];
  beforeAll(async () => {
    service = await startTestService({ store: name });
    store = service.app.service.store;
  });
  afterAll(() => service.stop());

  const runnerOf = (type: JobType, context: Partial<JobRunnerContext> = {}): JobRunner =>
    new JobRunner({
      store,
      types: [type],
      now: () => clock.ms,
      random: () => 0.5,
      id: () => randomUUID(),
      recorder: createMetrics(),
      failed: (what) => failures.push(what),
      ...context,
    });
  const jobOf = ({ name: type }: JobType, more: Partial<NewJob> = {}): NewJob => ({
    id: randomUUID(),
    type,
    organizationId: null,
    subject: null,
    payload: {},
    priority: 0,
    dueAt: at(clock.ms),
    ...more,
  });
  const add = (...jobs: readonly NewJob[]): Promise<unknown> => store.write({ kind: 'job', step: 'add', jobs });
  const stateOf = async (id: string) => {
    const [row] = await store.rows(sql`select due_at, attempts, lease, error from job where id = ${id}`);
    return row;
  };

  it('lets one job of an organization run beside a thousand of another, and higher priorities first', async () => {
    const { type, subjects } = listing();
    const many = Array.from({ length: 1000 }, (_, index) =>
      jobOf(type, { organizationId: 'many', subject: 'many', dueAt: at(clock.ms - hourMs + index) }),
    );
    await add(...many, jobOf(type, { organizationId: 'few', subject: 'few' }));
    await add(jobOf(type, { organizationId: 'many', subject: 'urgent', priority: 1 }));
    const runner = runnerOf({ ...type, slots: 4 });
    expect(await runner.runDue(type.name)).toBe(1002);
    expect(subjects).toHaveLength(1002);
    expect(subjects[0]).toBe('urgent');
    expect(subjects.indexOf('few')).toBeLessThan(5);
  });

  it('shares jobs between instances: each runs once', async () => {
    const { type, subjects } = listing(() => sleep(2));
    const ids = Array.from({ length: 60 }, (_, index) => `job ${index}`);
    await add(...ids.map((subject) => jobOf(type, { subject })));
    const runners = [1, 2, 3].map(() => runnerOf({ ...type, slots: 2 }));
    await Promise.all(runners.map((runner) => runner.runDue(type.name)));
    expect(subjects.toSorted()).toEqual(ids.toSorted());
  });

  it('repeats what failed later and later, with one key of its effects, and makes a dead letter of it with the reason', async () => {
    const keys = new Set<string>();
    const { type, subjects } = listing(({ effectKey }) => {
      keys.add(effectKey);
      return Promise.reject(new Problem('overloaded'));
    });
    const job = jobOf(type);
    await add(job);
    const runner = runnerOf(type);
    expect(await runner.runDue(type.name)).toBe(1);
    expect(await stateOf(job.id)).toMatchObject({ due_at: at(clock.ms + 3750), attempts: 1, lease: null });
    expect(await runner.runDue(type.name)).toBe(0);
    clock.ms += 3750;
    expect(await runner.runDue(type.name)).toBe(1);
    expect(await stateOf(job.id)).toMatchObject({ due_at: at(clock.ms + 7500), attempts: 2 });
    clock.ms += 7500;
    expect(await runner.runDue(type.name)).toBe(1);
    const dead = await stateOf(job.id);
    expect(dead).toMatchObject({ due_at: null, lease: null, attempts: 3 });
    expect(JSON.parse(String(dead?.['error']))).toMatchObject({ code: 'overloaded' });
    clock.ms += 24 * hourMs;
    expect(await runner.runDue(type.name)).toBe(0);
    await store.write({ kind: 'job', step: 'repeat', id: job.id });
    clock.ms += hourMs;
    expect(await runner.runDue(type.name)).toBe(1);
    expect([subjects.length, keys.size]).toEqual([4, 1]);
    expect(await store.write({ kind: 'job', step: 'drop', id: job.id })).toMatchObject({ count: 0 });
  });

  it('lets a job wait for a free place as often as it takes, with one key of its effects', async () => {
    const keys = new Set<string>();
    let isFree = false;
    const { type, subjects } = listing(({ effectKey }) => {
      keys.add(effectKey);
      return isFree ? Promise.resolve() : Promise.reject(new NoFreePlace({ retryAfterS: 10 }));
    });
    const job = jobOf(type);
    await add(job);
    const told = failures.length;
    for (let times = 0; times < 2 * type.maxAttempts; times += 1) {
      expect(await runnerOf(type).runDue(type.name)).toBe(1);
      expect(await stateOf(job.id)).toMatchObject({ due_at: at(clock.ms + 12_500), attempts: 0, lease: null });
      clock.ms += 12_500;
    }
    isFree = true;
    expect(await runnerOf(type).runDue(type.name)).toBe(1);
    expect(await stateOf(job.id)).toBeUndefined();
    expect([subjects.length, keys.size, failures.length - told]).toEqual([2 * type.maxAttempts + 1, 1, 0]);
  });

  it('does not repeat what is refused or has timed out', async () => {
    const refused = listing(() => Promise.reject(new Problem('forbidden')));
    const slow = listing(({ signal }) => sleep(60_000, undefined, { signal }), { timeoutMs: 20 });
    for (const [{ type }, code] of [
      [refused, 'forbidden'],
      [slow, 'deadline_passed'],
    ] as const) {
      const job = jobOf(type);
      await add(job);
      await runnerOf(type).runDue(type.name);
      const dead = await stateOf(job.id);
      expect(dead).toMatchObject({ due_at: null, attempts: 1 });
      expect(JSON.parse(String(dead?.['error']))).toMatchObject({ code });
    }
  });

  it('takes a job from an instance that stands still, whose end then counts for nothing', async () => {
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const still = listing(() => {
      begun.resolve();
      return held.promise;
    });
    const job = jobOf(still.type);
    await add(job);
    const first = runnerOf(still.type, { leaseMs: 50 }).runDue(still.type.name);
    await begun.promise;
    const other = listing(undefined, { name: still.type.name });
    const second = runnerOf(other.type);
    for (let times = 0; times < 4000 && other.subjects.length === 0; times += 1) {
      await sleep(10);
      await second.runDue(other.type.name);
    }
    expect(other.subjects).toHaveLength(1);
    expect(await stateOf(job.id)).toBeUndefined();
    held.resolve();
    expect(await first).toBe(1);
    expect(await stateOf(job.id)).toBeUndefined();
  });

  it('ends a job whose row is gone while it runs', async () => {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<unknown>();
    const { type } = listing(async ({ signal }) => {
      begun.resolve();
      await sleep(60_000, undefined, { signal }).catch((error: unknown) => ended.resolve(error));
    });
    const job = jobOf(type);
    await add(job);
    const runner = runnerOf(type);
    const run = runner.runDue(type.name);
    await begun.promise;
    // As the cancellation of a task does.
    await store.write({
      kind: 'job',
      step: 'end',
      held: { id: job.id, lease: await leaseOf(job.id) },
      outcome: { kind: 'completed', dueAt: null, result: null },
    });
    await runner.renew();
    expect(await ended.promise).toMatchObject({ name: 'AbortError' });
    await run;
  });
  const leaseOf = async (id: string): Promise<string> => String((await stateOf(id))?.['lease']);

  it('hands back what it runs when it stops, and the attempt does not count', async () => {
    const begun = Promise.withResolvers<void>();
    const { type } = listing(({ signal }) => {
      begun.resolve();
      return sleep(60_000, undefined, { signal });
    });
    const job = jobOf(type);
    await add(job);
    const runner = runnerOf(type);
    const run = runner.runDue(type.name);
    await begun.promise;
    await runner.stop();
    await run;
    expect(await stateOf(job.id)).toMatchObject({ due_at: job.dueAt, attempts: 0, lease: null });
  });

  it('repeats a job whose end the store did not take', async () => {
    const failing: ServiceStore = {
      ...store,
      write: async (command) => {
        if (command.kind === 'job' && command.step === 'end') throw new StoreUnavailable('down');
        return store.write(command);
      },
    };
    const { type, subjects } = listing();
    const job = jobOf(type);
    await add(job);
    await runnerOf(type, { store: failing, leaseMs: 20 }).runDue(type.name);
    // Its lease is long enough for its own end on a busy machine.
    const next = runnerOf(type);
    for (let times = 0; times < 4000 && (await stateOf(job.id)) !== undefined; times += 1) {
      await sleep(10);
      await next.runDue(type.name);
    }
    expect(subjects).toHaveLength(2);
    expect(failures).toContain(`the end of a job of type ${type.name} was not noted; it is repeated`);
  });

  it('takes no job from a living instance when a clock jumps, and runs what the jump has made due', async () => {
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const { type, subjects } = listing(() => {
      begun.resolve();
      return held.promise;
    });
    await add(jobOf(type, { subject: 'running' }), jobOf(type, { subject: 'later', dueAt: at(clock.ms + 2 * hourMs) }));
    const run = runnerOf(type).runDue(type.name);
    await begun.promise;
    const other = listing(undefined, { name: type.name });
    const jumped = runnerOf(other.type, { now: () => clock.ms + 3 * hourMs });
    await jumped.runDue(type.name);
    expect([subjects, other.subjects]).toEqual([['running'], ['later']]);
    const back = runnerOf(other.type, { now: () => clock.ms - 24 * hourMs });
    await add(jobOf(type, { subject: 'not yet' }));
    expect(await back.runDue(type.name)).toBe(0);
    held.resolve();
    await run;
    expect(subjects).toEqual(['running', 'not yet']);
  });

  it('runs a schedule once in its time on all instances together, and goes on after a run has failed for good', async () => {
    const { type, subjects } = listing(() => Promise.reject(new Problem('forbidden')), { everyMs: 100 });
    const runners = [1, 2, 3].map(() => runnerOf(type, { now: Date.now, pollMs: 20 }));
    const startedMs = Date.now();
    for (const runner of runners) runner.start();
    for (let times = 0; times < 10_000 && subjects.length < 4; times += 1) await sleep(10);
    await Promise.all(runners.map((runner) => runner.stop()));
    const passedMs = Date.now() - startedMs;
    expect(subjects.length).toBeGreaterThanOrEqual(4);
    expect(subjects.length).toBeLessThanOrEqual(passedMs / 100);
    expect(await store.rows(sql`select id from job where type = ${type.name}`)).toHaveLength(1);
  });

  it('reads when it is idle and writes nothing', async () => {
    const written: string[] = [];
    const { type } = listing();
    const watched: ServiceStore = {
      ...store,
      write: (command) => {
        written.push(command.kind);
        return store.write(command);
      },
    };
    const runner = runnerOf(type, { store: watched, pollMs: 5, now: () => 0 });
    runner.start();
    await sleep(200);
    await runner.stop();
    expect(written).toEqual([]);
  });
});
