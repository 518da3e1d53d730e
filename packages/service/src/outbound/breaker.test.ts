import { expect, it } from 'vitest';
import { createBreaker } from './breaker.ts';

function breakerAt(): { readonly clock: { ms: number }; readonly breaker: ReturnType<typeof createBreaker> } {
  const clock = { ms: 0 };
  return { clock, breaker: createBreaker({ failures: 2, pauseMs: 1000, atOnce: 3, now: () => clock.ms }) };
}

it('opens after failures in a row, tries one call after the pause, and closes when that succeeds', () => {
  const { clock, breaker } = breakerAt();
  for (const end of [breaker.failed, breaker.succeeded, breaker.failed, breaker.failed]) {
    expect(breaker.admits()).toBe(true);
    end();
  }
  expect(breaker.admits()).toBe(false);
  clock.ms += 1000;
  expect(breaker.admits()).toBe(true);
  expect(breaker.admits()).toBe(false);
  breaker.failed();
  expect(breaker.admits()).toBe(false);
  clock.ms += 1000;
  expect(breaker.admits()).toBe(true);
  breaker.succeeded();
  expect([breaker.admits(), breaker.admits()]).toEqual([true, true]);
});

it('tries another call where the trial told nothing', () => {
  const { clock, breaker } = breakerAt();
  for (const _ of [1, 2]) {
    breaker.admits();
    breaker.failed();
  }
  clock.ms += 1000;
  expect(breaker.admits()).toBe(true);
  breaker.released();
  expect(breaker.admits()).toBe(true);
});

it('admits so many calls at once and no more, and is fresh only without any', () => {
  const { breaker } = breakerAt();
  expect([1, 2, 3, 4].map(() => breaker.admits())).toEqual([true, true, true, false]);
  expect(breaker.isFresh()).toBe(false);
  for (const end of [breaker.succeeded, breaker.released, breaker.released]) end();
  expect(breaker.isFresh()).toBe(true);
});
