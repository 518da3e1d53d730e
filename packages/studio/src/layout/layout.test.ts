import fc from 'fast-check';
import { expect, it } from 'vitest';
import { collide, samePosition, type Area, type Layout } from './area.ts';
import { aligned, alignments, edges, firstFree, moved, placedAt, resized } from './arrange.ts';
import { compacted } from './push.ts';

const columns = 48;
const runs = process.env['INLAY_TEST_FULL'] === '1' ? 20_000 : 500;
const apart = (): boolean => false;
const area = (id: string, col: number, row: number, sizeX = 12, sizeY = 8): Area => ({
  id,
  col,
  row,
  sizeX,
  sizeY,
  isLocked: false,
});
const layoutOf = (...areas: readonly Area[]): Layout => ({ columns, areas, areApart: apart });
const at = ({ areas }: Layout, id: string): readonly number[] => {
  const found = areas.find((one) => one.id === id);
  return found === undefined ? [] : [found.col, found.row, found.sizeX, found.sizeY];
};
const overlaps = (layout: Layout): number =>
  layout.areas.filter((one) => layout.areas.some((other) => collide(layout, one, other))).length;

/** A layout without overlaps, some of whose items are locked. */
const arbitraryLayout = fc
  .array(
    fc.record({
      col: fc.nat(columns - 1),
      row: fc.nat(40),
      sizeX: fc.integer({ min: 1, max: columns }),
      sizeY: fc.integer({ min: 1, max: 20 }),
      isLocked: fc.boolean(),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((positions) => {
    let layout = layoutOf();
    for (const [index, { isLocked, ...position }] of positions.entries()) {
      const fitting = { ...position, col: Math.min(position.col, columns - position.sizeX) };
      const one = { ...fitting, id: `item-${index}`, isLocked: isLocked && index % 3 === 1 };
      if (!layout.areas.some((other) => collide(layout, one, other)))
        layout = { ...layout, areas: [...layout.areas, one] };
    }
    return layout;
  });

const arbitraryStep = fc.record({
  kind: fc.constantFrom('move', 'resize', 'place', 'align', 'compact'),
  which: fc.array(fc.nat(13), { minLength: 1, maxLength: 4 }),
  edge: fc.constantFrom(...edges),
  alignment: fc.constantFrom(...alignments),
  byColumns: fc.integer({ min: -60, max: 60 }),
  byRows: fc.integer({ min: -60, max: 60 }),
});

it('keeps items within the grid and locked ones in place, and lays none on another, whatever is done', () => {
  fc.assert(
    fc.property(arbitraryLayout, fc.array(arbitraryStep, { maxLength: 6 }), (start, steps) => {
      let layout = start;
      for (const { kind, which, edge, alignment, byColumns, byRows } of steps) {
        const ids = new Set(which.flatMap((index) => layout.areas[index]?.id ?? []));
        const [id = ''] = ids;
        const position = { col: byColumns, row: byRows, sizeX: byRows, sizeY: byColumns };
        layout = {
          move: () => moved(layout, ids, byColumns, byRows),
          resize: () => resized(layout, id, edge, byColumns, byRows),
          place: () => placedAt(layout, id, position),
          align: () => aligned(layout, ids, alignment),
          compact: () => compacted(layout),
        }[kind]();
        for (const [index, one] of layout.areas.entries()) {
          expect(one.col).toBeGreaterThanOrEqual(0);
          expect(one.row).toBeGreaterThanOrEqual(0);
          expect(one.col + one.sizeX).toBeLessThanOrEqual(columns);
          expect(Math.min(one.sizeX, one.sizeY)).toBeGreaterThanOrEqual(1);
          const first = start.areas[index];
          if (one.isLocked && first !== undefined) expect(samePosition(one, first)).toBe(true);
        }
        expect(overlaps(layout)).toBe(0);
      }
    }),
    { numRuns: runs },
  );
});

it('moves down only what an item meets, and puts it back with the item', () => {
  const start = layoutOf(area('a', 0, 0), area('b', 12, 0), area('c', 0, 8), area('d', 24, 0));
  const dragged = moved(start, new Set(['a']), 12, 0);
  expect([at(dragged, 'a'), at(dragged, 'b'), at(dragged, 'c'), at(dragged, 'd')]).toEqual([
    [12, 0, 12, 8],
    [12, 8, 12, 8],
    [0, 8, 12, 8],
    [24, 0, 12, 8],
  ]);
  expect(moved(start, new Set(['a']), 0, 0)).toBe(start);
});

it('moves several items by the same step, so far as the grid allows', () => {
  const both = moved(layoutOf(area('a', 6, 2), area('b', 30, 12)), new Set(['a', 'b']), 20, -9);
  expect([at(both, 'a'), at(both, 'b')]).toEqual([
    [12, 0, 12, 8],
    [36, 10, 12, 8],
  ]);
});

it('lets items take the same cells only if they are never shown together', () => {
  const tabs = { ...layoutOf(area('a', 0, 0), area('b', 24, 0)), areApart: () => true };
  expect(at(moved(tabs, new Set(['a']), 24, 0), 'b')).toEqual([24, 0, 12, 8]);
});

it('resizes at each edge without moving the opposite one', () => {
  const start = layoutOf(area('a', 12, 8));
  expect(Object.fromEntries(edges.map((edge) => [edge, at(resized(start, 'a', edge, 3, 2), 'a')]))).toEqual({
    n: [12, 10, 12, 6],
    ne: [12, 10, 15, 6],
    e: [12, 8, 15, 8],
    se: [12, 8, 15, 10],
    s: [12, 8, 12, 10],
    sw: [15, 8, 9, 10],
    w: [15, 8, 9, 8],
    nw: [15, 10, 9, 6],
  });
});

it('aligns items at each side and by size', () => {
  const start = layoutOf(area('a', 2, 4, 10, 6), area('b', 20, 20, 20, 10));
  const ids = new Set(['a', 'b']);
  expect(
    Object.fromEntries(alignments.map((one) => [one, ['a', 'b'].map((id) => at(aligned(start, ids, one), id))])),
  ).toEqual({
    left: [
      [2, 4, 10, 6],
      [2, 20, 20, 10],
    ],
    center: [
      [16, 4, 10, 6],
      [11, 20, 20, 10],
    ],
    right: [
      [30, 4, 10, 6],
      [20, 20, 20, 10],
    ],
    top: [
      [2, 4, 10, 6],
      [20, 4, 20, 10],
    ],
    middle: [
      [2, 14, 10, 6],
      [20, 12, 20, 10],
    ],
    bottom: [
      [2, 24, 10, 6],
      [20, 20, 20, 10],
    ],
    width: [
      [2, 4, 10, 6],
      [20, 20, 10, 10],
    ],
    height: [
      [2, 4, 10, 6],
      [20, 20, 20, 6],
    ],
  });
});

it('finds room for a new item beside others before it goes below them', () => {
  const start = layoutOf(area('a', 0, 0, 24, 8), area('b', 0, 8, 48, 8));
  expect(firstFree(start, { sizeX: 24, sizeY: 8 })).toEqual({ col: 24, row: 0, sizeX: 24, sizeY: 8 });
  expect(firstFree(start, { sizeX: 30, sizeY: 8 })).toEqual({ col: 0, row: 16, sizeX: 30, sizeY: 8 });
});

it('closes gaps from the top, and leaves locked items where they are', () => {
  const locked = { ...area('lock', 24, 5), isLocked: true };
  const compact = compacted(layoutOf(area('a', 0, 6), area('b', 24, 30), locked));
  expect([at(compact, 'a'), at(compact, 'b'), at(compact, 'lock')]).toEqual([
    [0, 0, 12, 8],
    [24, 13, 12, 8],
    [24, 5, 12, 8],
  ]);
});
