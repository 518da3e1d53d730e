import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Problem } from '../problems/problem.ts';
import { createBudget } from '../concurrency/byte-budget.ts';
import { createPace } from './pace.ts';
import { readPieces, readWhole } from './pieces.ts';

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Problem ? error.data.code : String(error)),
  );
const quick = { bytesPerS: 10_000, stillS: 0.1, tickMs: 10 };

describe('a body', () => {
  it('that does not come is given up as request_timeout', async () => {
    const pace = createPace(quick);
    const payload = new PassThrough();
    payload.write('{"fi');
    expect(await codeOf(readWhole(payload, pace, 100))).toBe('request_timeout');
    expect(pace.count()).toBe(0);
    pace.close();
  });

  it('is not too slow while we do not read it', async () => {
    const pace = createPace(quick);
    const payload = new PassThrough();
    payload.end('x'.repeat(1000));
    const pieces: string[] = [];
    await readPieces(payload, pace, 1000, async (piece) => {
      await sleep(500);
      pieces.push(piece.toString());
    });
    expect(pieces.join('').length).toBe(1000);
    pace.close();
  });

  it('that is too large, breaks or cannot be taken ends at once', async () => {
    const pace = createPace(quick);
    const large = new PassThrough();
    large.write('x'.repeat(101));
    expect(await codeOf(readWhole(large, pace, 100))).toBe('body_too_large');
    const broken = new PassThrough();
    const reading = readWhole(broken, pace, 100);
    broken.destroy(new Error('reset'));
    expect(await codeOf(reading)).toBe('request_timeout');
    const refused = new PassThrough();
    refused.write('x');
    const full = new Problem('disk_full');
    expect(await codeOf(readPieces(refused, pace, 100, () => Promise.reject(full)))).toBe('disk_full');
    expect(pace.count()).toBe(0);
    pace.close();
  });
});

describe('room for bodies', () => {
  const hold = (): (() => void) => () => undefined;

  it('is taken by address and in all, in the order of asking, and given back once', async () => {
    const budget = createBudget({ totalBytes: 100, ownerBytes: 60, message: 'full', waitMs: 5000 });
    const first = await budget.reserve('a', 50, hold);
    const order: string[] = [];
    const second = budget.reserve('a', 20, hold).then((release) => {
      order.push('second of a');
      return release;
    });
    const other = await budget.reserve('b', 50, hold);
    const third = budget.reserve('c', 10, hold).then((release) => {
      order.push('first of c');
      return release;
    });
    await sleep(10);
    expect([budget.reserved(), budget.waiting(), order]).toEqual([100, 2, []]);
    first();
    first();
    for (const release of [await second, await third, other]) release();
    expect([budget.reserved(), budget.waiting(), order]).toEqual([0, 0, ['second of a', 'first of c']]);
  });

  it('that none has is answered overloaded, and whoever leaves waits no more', async () => {
    const budget = createBudget({ totalBytes: 100, ownerBytes: 60, message: 'full', waitMs: 50 });
    const release = await budget.reserve('a', 60, hold);
    expect(await codeOf(budget.reserve('a', 60, hold))).toBe('overloaded');
    const leaving: (() => void)[] = [];
    const left = codeOf(
      budget.reserve('a', 60, (giveUp) => {
        leaving.push(giveUp);
        return () => undefined;
      }),
    );
    expect(budget.waiting()).toBe(1);
    for (const leave of leaving) leave();
    expect(await left).toBe('client_gone');
    expect(budget.waiting()).toBe(0);
    release();
    expect(budget.reserved()).toBe(0);
  });
});
