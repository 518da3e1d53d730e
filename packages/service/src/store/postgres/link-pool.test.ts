import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { StoreBusy } from '../store.ts';
import { linkPool } from './link-pool.ts';

describe('links that are lent', () => {
  it('are granted in order; a caller who would wait too long is refused at once, however slow they are', async () => {
    const pool = linkPool(['one'], { capacity: 1, patienceMs: 10_000, longestWaitMs: 100 });
    const waitedMs: number[] = [];
    const refusedMs: number[] = [];
    const order: number[] = [];
    const use = async (index: number): Promise<void> => {
      const startMs = performance.now();
      try {
        const link = await pool.take();
        waitedMs.push(performance.now() - startMs);
        order.push(index);
        await sleep(150);
        pool.give(link);
      } catch (error) {
        expect(error).toBeInstanceOf(StoreBusy);
        refusedMs.push(performance.now() - startMs);
      }
    };
    const all: Promise<void>[] = [];
    for (let index = 0; index < 60; index += 1) {
      all.push(use(index));
      await sleep(10);
    }
    await Promise.all(all);
    expect(refusedMs.length).toBeGreaterThan(30);
    expect(Math.max(...refusedMs)).toBeLessThan(50);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    // The first crowd comes before anything is known of the link.
    expect(waitedMs.length).toBeGreaterThan(3);
    expect(Math.max(...waitedMs.slice(-2))).toBeLessThan(2000);
  });

  it('are lent at once where one is free', async () => {
    const pool = linkPool(['one', 'two'], { capacity: 1, patienceMs: 100, longestWaitMs: 0 });
    expect(new Set([await pool.take(), await pool.take()])).toEqual(new Set(['one', 'two']));
  });
});
