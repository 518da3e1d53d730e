import type { Item } from '@inlay/contract';

/** The cells of the grid that an item takes. `col` and `row` start at 0; sizes are in cells. */
export type Position = Item['position'];

/** The position of an item in a layout. */
export interface Area extends Position {
  readonly id: string;
  /** True if the item keeps its position, whatever is moved. */
  readonly isLocked: boolean;
}

/** A grid of a fixed number of columns, which has as many rows as its items need. */
export interface Layout {
  readonly columns: number;
  readonly areas: readonly Area[];
  /** True if two items are never shown together, as in different tabs. Such items may take the same cells. */
  readonly areApart: (id: string, otherId: string) => boolean;
}

export const samePosition = (left: Position, right: Position): boolean =>
  left.col === right.col && left.row === right.row && left.sizeX === right.sizeX && left.sizeY === right.sizeY;

export const overlap = (left: Position, right: Position): boolean =>
  left.col < right.col + right.sizeX &&
  right.col < left.col + left.sizeX &&
  left.row < right.row + right.sizeY &&
  right.row < left.row + left.sizeY;

export const below = ({ row, sizeY }: Position): number => row + sizeY;

/** Returns the number of rows that items take. */
export const heightOf = (areas: readonly Position[]): number => Math.max(0, ...areas.map(below));

export const collide = ({ areApart }: Layout, left: Area, right: Area): boolean =>
  left.id !== right.id && overlap(left, right) && !areApart(left.id, right.id);

/** Returns a layout with some of its areas replaced. */
export function withAreas(layout: Layout, replacements: Iterable<Area>): Layout {
  const byId = new Map([...replacements].map((area) => [area.id, area]));
  return { ...layout, areas: layout.areas.map((area) => byId.get(area.id) ?? area) };
}

/** Returns the smallest position around some positions. */
export function around(positions: readonly Position[]): Position {
  const col = Math.min(...positions.map((position) => position.col));
  const row = Math.min(...positions.map((position) => position.row));
  return {
    col,
    row,
    sizeX: Math.max(...positions.map((position) => position.col + position.sizeX)) - col,
    sizeY: Math.max(...positions.map(below)) - row,
  };
}

export const clamp = (value: number, minimum: number, maximum: number): number =>
  Math.max(minimum, Math.min(value, maximum));
