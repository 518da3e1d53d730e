import type { Field, Frame, Row } from '../frame/frame.ts';
import { naturalOrder } from '../frame/members.ts';

/** A combination of members of several dimensions, with the first row that has it. */
export interface Path {
  readonly key: string;
  readonly row: Row;
}

export const pathKey = (row: Row, fields: readonly Field[]): string =>
  fields.map((field) => field.key(row[field.index])).join('\u0001');

/** Returns the distinct combinations of members, in the order of their first rows. */
function paths(rows: readonly Row[], fields: readonly Field[]): readonly Path[] {
  const firstRows = new Map<string, Row>();
  for (const row of rows) {
    const key = pathKey(row, fields);
    if (!firstRows.has(key)) firstRows.set(key, row);
  }
  return [...firstRows].map(([key, row]) => ({ key, row }));
}

/**
 * Returns the distinct combinations of members. Combinations with the same outer member are adjacent, and parts of
 * times are sorted by time.
 */
export function sortedPaths(frame: Frame, fields: readonly Field[]): readonly Path[] {
  const naturalOrders = fields.map((field) => naturalOrder(frame, field));
  const order = new Map<string, number>();
  const list = paths(frame.rows, fields).map((path) => ({
    ...path,
    keys: fields.map((_, depth) => pathKey(path.row, fields.slice(0, depth + 1))),
  }));
  for (const { keys } of list) for (const key of keys) if (!order.has(key)) order.set(key, order.size);
  const rank = (key: string | undefined): number => order.get(key ?? '') ?? 0;
  return list.toSorted((a, b) => {
    const depth = a.keys.findIndex((key, index) => key !== b.keys[index]);
    const place = fields[depth]?.index ?? 0;
    const byPart = naturalOrders[depth]?.(a.row[place] ?? null, b.row[place] ?? null);
    return depth === -1 ? 0 : (byPart ?? rank(a.keys[depth]) - rank(b.keys[depth]));
  });
}

/** A run of adjacent combinations with the same outer members. They share a header cell. */
interface Run {
  readonly row: Row;
  readonly first: number;
  readonly size: number;
}

export function runsOf(list: readonly Path[], fields: readonly Field[], depth: number): readonly Run[] {
  const upTo = fields.slice(0, depth + 1);
  const starts: { row: Row; key: string; first: number }[] = [];
  list.forEach(({ row }, firstIndex) => {
    const key = pathKey(row, upTo);
    if (starts.at(-1)?.key !== key) starts.push({ row, key, first: firstIndex });
  });
  return starts.map(({ row, first }, index) => ({
    row,
    first,
    size: (starts[index + 1]?.first ?? list.length) - first,
  }));
}
