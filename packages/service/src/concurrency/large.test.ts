import { describe, expect, it } from 'vitest';
import { isLarger } from './large.ts';

describe('a large value', () => {
  it.each([
    [null, 1, false],
    ['x'.repeat(9), 10, false],
    ['x'.repeat(10), 10, true],
    [['x'.repeat(4), 'y'.repeat(4)], 11, false],
    [['x'.repeat(4), 'y'.repeat(5)], 11, true],
    [{ name: 1, more: [{ deep: 'text' }] }, 21, false],
    [{ name: 1, more: [{ deep: 'texts' }] }, 21, true],
    [Array.from({ length: 100 }, () => 0), 99, true],
    [{ ['n'.repeat(100)]: 0 }, 99, true],
  ])('is found by its letters and values: %j against %i', (value, most, isLarge) => {
    expect(isLarger(value, most)).toBe(isLarge);
  });
});
