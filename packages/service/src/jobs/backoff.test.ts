import { expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

it.each([
  [1, 5000],
  [2, 10_000],
  [5, 80_000],
  [11, 3_600_000],
  [1000, 3_600_000],
])('after attempt %i a job waits for %i ms, less up to half of it', (attempt, longest) => {
  expect(backoffMs(attempt, () => 0)).toBe(longest);
  expect(backoffMs(attempt, () => 1)).toBe(longest / 2);
});
