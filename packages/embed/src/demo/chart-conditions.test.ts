import { describe, expect, it } from 'vitest';
import { conditionsOf, filtersWithout, titleWithout } from './chart-conditions.ts';

const answer = {
  conditions: [
    { title: { en: '2023 – 2024' }, filters: [0, 1] },
    { title: { en: 'Spain' }, filters: [2] },
    { title: { en: '2023' }, filters: [3] },
    { title: { en: 'weekends' }, filters: [] },
    { title: { en: 'Spa' }, filters: [4] },
  ],
};
const conditions = conditionsOf(answer, 'en');
const title = 'Sales by Region, 2023 – 2024, Spain, 2023, weekends, Spa';

describe('a condition that is taken away', () => {
  it.each([
    [0, 'Sales by Region, Spain, 2023, weekends, Spa', ['c', 'd', 'e']],
    [2, 'Sales by Region, 2023 – 2024, Spain, weekends, Spa', ['a', 'b', 'c', 'e']],
    [4, 'Sales by Region, 2023 – 2024, Spain, 2023, weekends', ['a', 'b', 'c', 'd']],
  ])('cuts no other from the title, and takes all of its filters: %i', (taken, left, filters) => {
    const isTaken = (at: number): boolean => at === taken;
    expect(titleWithout(title, conditions, isTaken)).toBe(left);
    expect(filtersWithout(['a', 'b', 'c', 'd', 'e'], conditions, isTaken)).toEqual(filters);
  });

  it('leaves a title alone that does not end with the conditions', () => {
    expect(titleWithout('Sales', conditions, () => true)).toBe('Sales');
    expect(titleWithout('Sales', conditionsOf({}, 'en'), () => true)).toBe('Sales');
  });
});
