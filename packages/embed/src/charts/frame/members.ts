import type { Json } from '@inlay/contract';
import type { Field, Frame } from './frame.ts';

/** One member of a dimension. */
export interface Member {
  readonly key: string;
  readonly cell: Json;
}

/** The order of parts of times, which rows that come by another dimension first do not show; null for other dimensions, and where the item has an order. */
export function naturalOrder(frame: Frame, field: Field): ((one: Json, other: Json) => number) | null {
  if (field.part === null || frame.item.options['sort'] !== undefined) return null;
  const place = (cell: Json): number => field.number(cell) ?? Number.POSITIVE_INFINITY;
  return (one, other) => (place(one) === place(other) ? 0 : place(one) - place(other));
}

/** Members in an order that somebody gave them, others behind them; null where nobody did. */
function manualOrder({ settings }: Frame, field: Field): ((one: Json, other: Json) => number) | null {
  const { manualOrder: listed, orderedSlot } = settings;
  if (listed.length === 0 || field.placed.slot !== orderedSlot) return null;
  const place = (cell: Json): number => {
    const found = listed.indexOf(field.text(cell));
    return found === -1 ? listed.length : found;
  };
  return (one, other) => place(one) - place(other);
}

/** The distinct members of a dimension, parts of times in their own order and others in that of the rows, or as somebody ordered them. */
export function membersOf(frame: Frame, field: Field): readonly Member[] {
  const seen = new Map<string, Json>();
  for (const row of frame.rows) {
    const cell = row[field.index] ?? null;
    const key = field.key(cell);
    if (!seen.has(key)) seen.set(key, cell);
  }
  const found = [...seen].map(([key, cell]) => ({ key, cell }));
  const order = manualOrder(frame, field) ?? naturalOrder(frame, field);
  return order === null ? found : found.toSorted((one, other) => order(one.cell, other.cell));
}

/** The same with the parts of times between them that have no rows, so that no line leads across a gap. */
export function membersWithGaps(frame: Frame, field: Field): readonly Member[] {
  const found = membersOf(frame, field);
  if (naturalOrder(frame, field) === null) return found;
  const parts = found.flatMap(({ cell }) => (typeof cell === 'number' ? [cell] : []));
  const [first = 0, last = -1] = [parts[0], parts.at(-1)];
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const others = found.filter(({ cell }) => typeof cell !== 'number');
  return [...all.map((cell) => ({ key: field.key(cell), cell })), ...others];
}
