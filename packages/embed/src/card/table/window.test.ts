import { describe, expect, it } from 'vitest';
import { seenRows, shiftBetween, windowAt, type Sight } from './window.ts';

const rowPx = 30;
const at = (scrollPx: number): Sight => ({ scrollPx, heightPx: 300, rowPx });

describe('the rows of a table that are in the page', () => {
  it('hold those in sight wherever it is scrolled to', () => {
    for (const rows of [0, 1, 40, 1000])
      for (let scrollPx = 0; scrollPx <= rows * rowPx; scrollPx += 17) {
        const { first, last } = windowAt(at(scrollPx), rows);
        expect(first).toBeLessThanOrEqual(Math.min(rows, Math.floor(scrollPx / rowPx)));
        expect(last).toBeGreaterThanOrEqual(Math.min(rows, Math.ceil((scrollPx + 300) / rowPx)));
        expect(last - first).toBeLessThanOrEqual(rows <= 200 ? rows : 30);
      }
  });

  it('stay the same while scrolling moves by less than four', () => {
    expect(windowAt(at(3000), 1000)).toEqual(windowAt(at(3000 + 3 * rowPx), 1000));
  });

  it('are more where rows are low', () => {
    const shown = [24, 30, 38].map((px) => windowAt({ scrollPx: 3000, heightPx: 600, rowPx: px }, 1000));
    expect(shown.map(({ first, last }) => last - first)).toEqual([45, 40, 36]);
  });

  it('keep their elements where most of them stay, and show others in them where few do', () => {
    expect(shiftBetween({ first: 0, last: 30 }, { first: 4, last: 34 })).toBe(0);
    expect(shiftBetween({ first: 0, last: 30 }, { first: 500, last: 530 })).toBe(500);
    expect(shiftBetween({ first: 500, last: 530 }, { first: 0, last: 30 })).toBe(-500);
  });
});

it('rows in sight are counted from 1, and half of one counts', () => {
  expect(seenRows(at(0), 100)).toEqual([1, 10]);
  expect(seenRows(at(20), 100)).toEqual([2, 11]);
  expect(seenRows(at(90 * rowPx), 100)).toEqual([91, 100]);
  expect(seenRows(at(0), 4)).toEqual([1, 4]);
});
