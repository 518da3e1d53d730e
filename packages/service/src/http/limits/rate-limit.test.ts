import { describe, expect, it } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

describe('the rate limit', () => {
  it('lets a burst through, then as many a second as are sustained', () => {
    const clock = { ms: 0 };
    const limit = createRateLimit(10, 3, () => clock.ms);
    const take = (): boolean | undefined => limit?.take('one').allowed;
    expect([take(), take(), take(), take()]).toEqual([true, true, true, false]);
    clock.ms += 99;
    expect(take()).toBe(false);
    clock.ms += 1;
    expect([take(), take()]).toEqual([true, false]);
    clock.ms += 60_000;
    expect([take(), take(), take(), take()]).toEqual([true, true, true, false]);
  });

  it('says what is left and when to come again', () => {
    const limit = createRateLimit(0.5, 2, () => 0);
    expect(limit?.take('one')).toEqual({ allowed: true, limit: 2, remaining: 1, retryAfterS: 0 });
    expect(limit?.take('one')).toEqual({ allowed: true, limit: 2, remaining: 0, retryAfterS: 0 });
    expect(limit?.take('one')).toEqual({ allowed: false, limit: 2, remaining: 0, retryAfterS: 2 });
    expect(limit?.take('other').allowed).toBe(true);
  });

  it('gives nothing back when the clock goes backwards', () => {
    const clock = { ms: 1000 };
    const limit = createRateLimit(1, 1, () => clock.ms);
    expect(limit?.take('one').allowed).toBe(true);
    clock.ms = 0;
    expect(limit?.take('one').allowed).toBe(false);
  });

  it('forgets the longest unused of 50,000 subjects, not one in use', () => {
    const limit = createRateLimit(1, 1, () => 0);
    expect([limit?.take('busy').allowed, limit?.take('idle').allowed]).toEqual([true, true]);
    limit?.take('busy');
    for (let at = 0; at < 49_999; at += 1) limit?.take(`other ${at}`);
    expect([limit?.take('busy').allowed, limit?.take('idle').allowed]).toEqual([false, true]);
  });

  it('is none where nothing is set', () => {
    expect(createRateLimit(0, 5, () => 0)).toBeNull();
  });
});
