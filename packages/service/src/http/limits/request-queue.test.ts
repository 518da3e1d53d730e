import { describe, expect, it } from 'vitest';
import { createRequestQueue } from './request-queue.ts';

/** An event loop with a simulated clock. */
function openLoop(longestWaitMs: number) {
  let nowMs = 0;
  let later: (() => void)[] = [];
  const queue = createRequestQueue(
    longestWaitMs,
    () => nowMs,
    (run) => later.push(run),
  );
  return {
    nowMs: () => nowMs,
    /** Queues a request that takes `workMs` once started. */
    take: (workMs: number, started: (atMs: number) => void, tenant = 'one') =>
      queue.take(() => {
        started(nowMs);
        nowMs += workMs;
      }, tenant),
    turn: () => {
      const due = later;
      later = [];
      for (const run of due) run();
    },
    isIdle: () => later.length === 0,
  };
}

describe('a queue of requests', () => {
  it('starts a request at once while nothing waits', () => {
    const loop = openLoop(500);
    const started: number[] = [];
    for (let index = 0; index < 3; index += 1) {
      expect(loop.take(1, (atMs) => started.push(atMs))).toBe(true);
      loop.turn();
    }
    expect(started).toEqual([0, 1, 2]);
  });

  it('starts those of a long turn in later ones, in the order they came', () => {
    const loop = openLoop(500);
    const started: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) loop.take(20, () => started.push(name));
    expect(started).toEqual(['a']);
    const turns: number[] = [];
    while (!loop.isIdle()) {
      const before = started.length;
      loop.turn();
      turns.push(started.length - before);
    }
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    expect(Math.max(...turns)).toBe(1);
  });

  it('refuses what would wait too long, starts the others within about that time, and takes all again once it is calm', () => {
    const loop = openLoop(200);
    const waitedMs: number[] = [];
    let refused = 0;
    // 400 rounds of 10 ms each have work for four requests.
    for (let round = 0; round < 400; round += 1) {
      for (let index = 0; index < 4; index += 1) {
        const atMs = loop.nowMs();
        if (!loop.take(10, (startedMs) => waitedMs.push(startedMs - atMs))) refused += 1;
      }
      loop.turn();
    }
    while (!loop.isIdle()) loop.turn();
    const settled = waitedMs.slice(waitedMs.length / 2);
    expect(refused).toBeGreaterThan(800);
    expect(waitedMs).toHaveLength(1600 - refused);
    expect(Math.max(...settled)).toBeLessThan(300);
    expect(Math.min(...settled)).toBeGreaterThan(100);
    for (let index = 0; index < 10; index += 1) {
      expect(loop.take(1, () => undefined)).toBe(true);
      loop.turn();
    }
  });

  it('lets tenants take turns, and refuses those alone who fill it', () => {
    const loop = openLoop(200);
    const started = { crowd: 0, other: 0 };
    const refused = { crowd: 0, other: 0 };
    const waitedMs: number[] = [];
    // One tenant sends eight requests of 10 ms in the time of one, from any number of addresses; occasionally another
    // tenant sends one.
    for (let round = 0; round < 400; round += 1) {
      for (let index = 0; index < 8; index += 1)
        if (!loop.take(10, () => (started.crowd += 1), 'crowd')) refused.crowd += 1;
      const atMs = loop.nowMs();
      const isTaken =
        round % 4 !== 0 ||
        loop.take(
          10,
          (startedMs) => {
            started.other += 1;
            waitedMs.push(startedMs - atMs);
          },
          'other',
        );
      if (!isTaken) refused.other += 1;
      loop.turn();
    }
    while (!loop.isIdle()) loop.turn();
    expect(refused.other).toBe(0);
    expect(started.other).toBe(100);
    expect(Math.max(...waitedMs)).toBeLessThan(60);
    expect(refused.crowd).toBeGreaterThan(2000);
    expect(started.crowd).toBe(3200 - refused.crowd);
  });

  it('keeps a burst of short requests waiting rather than refusing it after a long one', () => {
    const loop = openLoop(500);
    let started = 0;
    loop.take(2000, () => undefined);
    for (let index = 0; index < 300; index += 1) expect(loop.take(0.1, () => (started += 1))).toBe(true);
    while (!loop.isIdle()) loop.turn();
    expect(started).toBe(300);
  });

  it('goes on where one of them fails as it is started', () => {
    const later: (() => void)[] = [];
    const clock = { nowMs: 0 };
    const queue = createRequestQueue(
      500,
      () => clock.nowMs,
      (run) => later.push(run),
    );
    const started: string[] = [];
    queue.take(() => (clock.nowMs += 10), 'one');
    queue.take(() => {
      throw new Error('this one');
    }, 'one');
    queue.take(() => started.push('next'), 'one');
    const failures: unknown[] = [];
    for (let run = later.shift(); run !== undefined; run = later.shift()) {
      try {
        run();
      } catch (error) {
        failures.push(error);
      }
    }
    expect(failures).toHaveLength(1);
    expect(started).toEqual(['next']);
  });
});
