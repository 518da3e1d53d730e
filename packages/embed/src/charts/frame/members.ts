import type { Json } from '@inlay/contract';
import type { Field, Frame } from './frame.ts';

export interface Member {
  readonly key: string;
  readonly cell: Json;
}

/**
 * Returns a comparator that sorts parts of times by time, because their rows may be grouped by another dimension first.
 * Null for other dimensions, or if the item sets an order.
 */
export function naturalOrder(frame: Frame, field: Field): ((a: Json, b: Json) => number) | null {
  if (field.part === null || frame.item.options['sort'] !== undefined) return null;
  const place = (cell: Json): number => field.number(cell) ?? Number.POSITIVE_INFINITY;
  return (a, b) => (place(a) === place(b) ? 0 : place(a) - place(b));
}

/**
 * Returns a comparator for the manual order of an item, in which members without a position come last. Null if the
 * dimension has no manual order.
 */
function manualOrder({ settings }: Frame, field: Field): ((a: Json, b: Json) => number) | null {
  const { manualOrder: listed, orderedSlot } = settings;
  if (listed.length === 0 || field.placed.slot !== orderedSlot) return null;
  const place = (cell: Json): number => {
    const index = listed.indexOf(field.text(cell));
    return index === -1 ? listed.length : index;
  };
  return (a, b) => place(a) - place(b);
}

/**
 * Returns the distinct members of a dimension: in the manual order if there is one, by time if they are parts of times,
 * otherwise in the order of the rows.
 */
export function membersOf(frame: Frame, field: Field): readonly Member[] {
  const cellByKey = new Map<string, Json>();
  for (const row of frame.rows) {
    const cell = row[field.index] ?? null;
    const key = field.key(cell);
    if (!cellByKey.has(key)) cellByKey.set(key, cell);
  }
  const members = [...cellByKey].map(([key, cell]) => ({ key, cell }));
  const order = manualOrder(frame, field) ?? naturalOrder(frame, field);
  return order === null ? members : members.toSorted((a, b) => order(a.cell, b.cell));
}

/** Returns the distinct members of a dimension, including parts of times that have no rows, so that lines show gaps. */
export function membersWithGaps(frame: Frame, field: Field): readonly Member[] {
  const members = membersOf(frame, field);
  if (naturalOrder(frame, field) === null) return members;
  const parts = members.flatMap(({ cell }) => (typeof cell === 'number' ? [cell] : []));
  const [firstPart = 0, lastPart = -1] = [parts[0], parts.at(-1)];
  const allParts = Array.from({ length: lastPart - firstPart + 1 }, (_, index) => firstPart + index);
  const others = members.filter(({ cell }) => typeof cell !== 'number');
  return [...allParts.map((cell) => ({ key: field.key(cell), cell })), ...others];
}
