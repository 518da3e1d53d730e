import { describe, expect, it } from 'vitest';
import { pageBreaks } from './page-breaks.ts';

const items = (...rows: readonly (readonly [number, number])[]) => rows.map(([y, height]) => ({ y, height }));
const parts = (...given: Parameters<typeof pageBreaks>): readonly (readonly number[])[] =>
  pageBreaks(...given).map(({ top, bottom, scale }) => [top, bottom, scale]);

describe('the pages of a dashboard', () => {
  it('is one where everything fits', () => {
    expect(parts(items([0, 100], [110, 80]), 200, () => 300)).toEqual([[0, 200, 1]]);
  });

  it('end where no item is cut', () => {
    expect(parts(items([0, 100], [100, 100], [200, 100]), 300, () => 250)).toEqual([
      [0, 200, 1],
      [200, 300, 1],
    ]);
  });

  it('keep items together that stand beside each other', () => {
    expect(parts(items([0, 100], [100, 180], [100, 90], [190, 90]), 280, () => 200)).toEqual([
      [0, 100, 1],
      [100, 280, 1],
    ]);
  });

  it('make an item smaller that is higher than a page', () => {
    expect(parts(items([0, 50], [50, 400]), 450, () => 200)).toEqual([
      [0, 50, 1],
      [50, 450, 0.5],
    ]);
  });

  it('leave the first page its heading', () => {
    expect(parts(items([0, 100], [100, 100]), 200, (page) => (page === 0 ? 120 : 200))).toEqual([
      [0, 100, 1],
      [100, 200, 1],
    ]);
  });

  it('are none of a dashboard without items', () => {
    expect(parts([], 300, () => 100)).toEqual([]);
  });
});
