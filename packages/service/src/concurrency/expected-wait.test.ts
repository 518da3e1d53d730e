import { describe, expect, it } from 'vitest';
import { createExpectedWait } from './expected-wait.ts';

function openClock(countedMs?: number) {
  let nowMs = 10_000;
  const expected = createExpectedWait(countedMs, () => nowMs);
  return {
    expected,
    /** Starts this many items, one every `everyMs`. */
    start: (count: number, everyMs: number): void => {
      expected.begin();
      for (let index = 0; index < count; index += 1) {
        nowMs += everyMs;
        expected.started();
      }
    },
    pass: (ms: number): void => {
      nowMs += ms;
    },
  };
}

describe('the expected wait in a queue', () => {
  it('is that of as many starts as there are others before', () => {
    const { expected, start } = openClock();
    expect(expected.behindMs(3)).toBeGreaterThanOrEqual(0);
    start(5, 40);
    expect(expected.behindMs(10)).toBeCloseTo(400);
    expect(expected.behindMs(0)).toBe(0);
  });

  it('adapts to the pace of starts', () => {
    const { expected, start } = openClock();
    start(100, 40);
    start(300, 10);
    expect(expected.behindMs(10)).toBeGreaterThan(100);
    expect(expected.behindMs(10)).toBeLessThan(110);
  });

  it('is at least the time for which nobody was started', () => {
    const { expected, pass } = openClock();
    expected.begin();
    pass(800);
    expect(expected.behindMs(1)).toBe(800);
  });

  it('caps how much one hang counts', () => {
    const { expected, start, pass } = openClock(100);
    start(100, 1);
    pass(5000);
    expect(expected.behindMs(1)).toBe(100);
  });

  it('is forgotten once nobody has waited for a while', () => {
    const { expected, start, pass } = openClock();
    start(100, 40);
    pass(1500);
    start(1, 2);
    expect(expected.behindMs(10)).toBeCloseTo(20);
  });
});
