import { below, collide, withAreas, type Area, type Layout } from './area.ts';

const inOrder = (areas: readonly Area[]): readonly Area[] =>
  areas.toSorted((left, right) => left.row - right.row || left.col - right.col);

/** Returns the first row from `row` at which an area collides with none of the others. */
function freeRow(layout: Layout, area: Area, placed: readonly Area[]): number {
  let moved = area;
  for (;;) {
    const blocking = placed.filter((other) => collide(layout, moved, other));
    if (blocking.length === 0) return moved.row;
    moved = { ...moved, row: Math.max(...blocking.map(below)) };
  }
}

/**
 * Returns a layout in which locked areas stay. Those in `fixedIds` stay too, unless they lie on a locked one; the others
 * make room for all of them. Areas are moved down just as far as they must so that they do not overlap. Items that
 * nothing moves stay as they are, also if they overlap.
 */
export function pushed(layout: Layout, fixedIds: ReadonlySet<string>): Layout {
  const locked = layout.areas.filter(({ isLocked }) => isLocked);
  const liesOnLocked = (area: Area): boolean => locked.some((other) => collide(layout, area, other));
  const free = layout.areas.filter(({ isLocked }) => !isLocked);
  const fixed = free.filter((area) => fixedIds.has(area.id) && !liesOnLocked(area));
  const obstacles = [...locked, ...fixed];
  const moved: Area[] = [];
  const move = (area: Area): void => {
    const row = freeRow(layout, area, obstacles);
    if (row === area.row) return;
    const movedArea = { ...area, row };
    obstacles.push(movedArea);
    moved.push(movedArea);
  };
  inOrder(free.filter((area) => fixedIds.has(area.id) && liesOnLocked(area))).forEach(move);
  // From the top down, what a moved item meets comes after it.
  inOrder(free.filter(({ id }) => !fixedIds.has(id))).forEach(move);
  return withAreas(layout, moved);
}

/** Returns a layout in which each item is moved up until it meets another one, the top of the grid or a locked item. */
export function compacted(layout: Layout): Layout {
  const placed: Area[] = layout.areas.filter(({ isLocked }) => isLocked);
  for (const area of inOrder(layout.areas.filter(({ isLocked }) => !isLocked))) {
    let row = area.row;
    while (row > 0 && !placed.some((other) => collide(layout, { ...area, row: row - 1 }, other))) row -= 1;
    placed.push({ ...area, row });
  }
  return withAreas(layout, placed);
}
