import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { StoreBusy } from '../store.ts';
import { ConnectionPool } from './connection-pool.ts';

describe('a pool of connections', () => {
  it('serves callers in order, and refuses those at once who would wait too long', async () => {
    const pool = new ConnectionPool(['one'], { capacity: 1, patienceMs: 10_000, longestWaitMs: 100 });
    const waitedMs: number[] = [];
    let refused = 0;
    const order: number[] = [];
    const use = async (index: number): Promise<void> => {
      const startMs = performance.now();
      const acquired = pool.acquire();
      // A refusal arrives before any other event; other callers that wait are served.
      const isRefused = await Promise.race([
        acquired.then(
          () => false,
          () => true,
        ),
        immediate(false),
      ]);
      if (isRefused) {
        refused += 1;
        return expect(acquired).rejects.toThrow(StoreBusy);
      }
      const connection = await acquired;
      waitedMs.push(performance.now() - startMs);
      order.push(index);
      await sleep(150);
      pool.release(connection);
    };
    const all: Promise<void>[] = [];
    for (let index = 0; index < 60; index += 1) {
      all.push(use(index));
      await sleep(10);
    }
    await Promise.all(all);
    expect(refused).toBeGreaterThan(30);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    // The first burst arrives before anything is known about the connection.
    expect(waitedMs.length).toBeGreaterThan(3);
    expect(Math.max(...waitedMs.slice(-2))).toBeLessThan(2000);
  });

  it('gives a free connection at once', async () => {
    const pool = new ConnectionPool(['one', 'two'], { capacity: 1, patienceMs: 100, longestWaitMs: 0 });
    expect(new Set([await pool.acquire(), await pool.acquire()])).toEqual(new Set(['one', 'two']));
  });
});
