import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactSum } from './exact-sum.ts';

test('decimals are added up to the last digit', () => {
  expect(exactSum([0.1, 0.2])).toBe(0.3);
  expect(exactSum([0.1, '0.2', -0.3])).toBe(0);
  expect(exactSum([-0.5, 0.25])).toBe(-0.25);
  expect(exactSum(['9007199254740993', 1])).toBe('9007199254740994');
  expect(exactSum(['1234567890123456.78', '-0.08'])).toBe('1234567890123456.7');
  expect(exactSum([1e300, 1e300])).toBe(2e300);
});

test('cents are added up as whole numbers are', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1 }), (cents) => {
      const sum = cents.reduce((left, right) => left + right, 0);
      expect(exactSum(cents.map((one) => one / 100))).toBe(sum / 100 === 0 ? 0 : sum / 100);
    }),
  );
});
