import { around, below, clamp, overlap, withAreas, type Area, type Layout, type Position } from './area.ts';
import { pushed } from './push.ts';

/** Smallest size of an item, in cells. */
export const smallestSize = { sizeX: 1, sizeY: 1 } as const;

/** A corner or a side at which an item is resized. */
export const edges = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const;
export type Edge = (typeof edges)[number];

const chosen = (layout: Layout, ids: ReadonlySet<string>): readonly Area[] =>
  layout.areas.filter(({ id, isLocked }) => ids.has(id) && !isLocked);

/** Returns a layout in which items are moved together, within the grid; the others make room. Locked items stay. */
export function moved(layout: Layout, ids: ReadonlySet<string>, byColumns: number, byRows: number): Layout {
  const areas = chosen(layout, ids);
  if (areas.length === 0) return layout;
  const { col, row, sizeX } = around(areas);
  const colStep = clamp(byColumns, -col, Math.max(-col, layout.columns - sizeX - col));
  const rowStep = Math.max(byRows, -row);
  if (colStep === 0 && rowStep === 0) return layout;
  const placed = areas.map((area) => ({ ...area, col: area.col + colStep, row: area.row + rowStep }));
  return pushed(withAreas(layout, placed), ids);
}

/** Returns the position after an edge was dragged, within the grid. */
function resizedPosition(position: Position, edge: Edge, byColumns: number, byRows: number, columns: number): Position {
  const [right, bottom] = [position.col + position.sizeX, below(position)];
  const col = edge.includes('w') ? clamp(position.col + byColumns, 0, right - smallestSize.sizeX) : position.col;
  const row = edge.includes('n') ? clamp(position.row + byRows, 0, bottom - smallestSize.sizeY) : position.row;
  const newRight = edge.includes('e')
    ? clamp(right + byColumns, col + smallestSize.sizeX, Math.max(columns, col + smallestSize.sizeX))
    : right;
  const newBottom = edge.includes('s') ? Math.max(bottom + byRows, row + smallestSize.sizeY) : bottom;
  return { col, row, sizeX: newRight - col, sizeY: newBottom - row };
}

/** Returns a layout in which an edge of an item is moved; the others make room. */
export function resized(layout: Layout, id: string, edge: Edge, byColumns: number, byRows: number): Layout {
  const ids = new Set([id]);
  const areas = chosen(layout, ids).map((area) => ({
    ...area,
    ...resizedPosition(area, edge, byColumns, byRows, layout.columns),
  }));
  return areas.length === 0 ? layout : pushed(withAreas(layout, areas), ids);
}

/** Returns a layout in which an item has a position, as near as the grid allows; the others make room. */
export function placedAt(layout: Layout, id: string, position: Position): Layout {
  const sizeX = clamp(Math.round(position.sizeX), smallestSize.sizeX, layout.columns);
  const wanted = {
    sizeX,
    sizeY: Math.max(Math.round(position.sizeY), smallestSize.sizeY),
    col: clamp(Math.round(position.col), 0, layout.columns - sizeX),
    row: Math.max(Math.round(position.row), 0),
  };
  const ids = new Set([id]);
  const areas = chosen(layout, ids).map((area) => ({ ...area, ...wanted }));
  return areas.length === 0 ? layout : pushed(withAreas(layout, areas), ids);
}

/** What several items can have in common. */
export const alignments = ['left', 'center', 'right', 'top', 'middle', 'bottom', 'width', 'height'] as const;
export type Alignment = (typeof alignments)[number];

/** By alignment: the position of an item, from its own and the position around all of them. */
const aligners: Readonly<Record<Alignment, (own: Position, all: Position) => Partial<Position>>> = {
  left: (_, all) => ({ col: all.col }),
  center: (own, all) => ({ col: all.col + Math.floor((all.sizeX - own.sizeX) / 2) }),
  right: (own, all) => ({ col: all.col + all.sizeX - own.sizeX }),
  top: (_, all) => ({ row: all.row }),
  middle: (own, all) => ({ row: all.row + Math.floor((all.sizeY - own.sizeY) / 2) }),
  bottom: (own, all) => ({ row: below(all) - own.sizeY }),
  width: (_, all) => ({ sizeX: all.sizeX }),
  height: (_, all) => ({ sizeY: all.sizeY }),
};

/**
 * Returns a layout in which items are aligned. Items get the width or height of the first one in `ids`. Those that would
 * then overlap are moved below each other; the others make room.
 */
export function aligned(layout: Layout, ids: ReadonlySet<string>, alignment: Alignment): Layout {
  const areas = chosen(layout, ids);
  const [firstId] = ids;
  const model = areas.find(({ id }) => id === firstId) ?? areas[0];
  if (model === undefined) return layout;
  const reference = alignment === 'width' || alignment === 'height' ? model : around(areas);
  const placed = areas.map((area) => {
    const position = { ...area, ...aligners[alignment](area, reference) };
    return { ...position, col: clamp(position.col, 0, Math.max(0, layout.columns - position.sizeX)) };
  });
  const alignedLayout = withAreas(layout, placed);
  // The aligned items must not lie on each other either: from the top down, each keeps its place if it is free.
  const kept = new Set<string>();
  for (const area of placed.toSorted((left, right) => left.row - right.row)) {
    const isFree = placed.every(
      (other) => !kept.has(other.id) || !overlap(area, other) || layout.areApart(area.id, other.id),
    );
    if (isFree) kept.add(area.id);
  }
  return pushed(alignedLayout, kept);
}

/** Returns where an item of a size goes: at the first row from `fromRow` on with room for it. */
export function firstFree(layout: Layout, { sizeX, sizeY }: Pick<Position, 'sizeX' | 'sizeY'>, fromRow = 0): Position {
  const width = Math.min(sizeX, layout.columns);
  const rows = [fromRow, ...layout.areas.map(below).filter((row) => row > fromRow)].toSorted((a, b) => a - b);
  for (const row of rows) {
    const columns = [0, ...layout.areas.map(({ col, sizeX: areaWidth }) => col + areaWidth)].toSorted((a, b) => a - b);
    for (const col of columns) {
      const position = { col, row, sizeX: width, sizeY };
      if (col + width <= layout.columns && !layout.areas.some((area) => overlap(area, position))) return position;
    }
  }
  return { col: 0, row: Math.max(fromRow, ...layout.areas.map(below)), sizeX: width, sizeY };
}
