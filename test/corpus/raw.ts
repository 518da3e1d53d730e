import type { Asked } from './asked.ts';
import { valueIn, type Ground, type Joined } from './ground.ts';
import { sortValues, wire, type Value } from './values.ts';

/** Rows as they are, not rolled up, in the order asked, ties broken by all that is answered. */
export const rawRows = (asked: Asked, { rowsOf, membersOf }: Ground, root: string): readonly (readonly unknown[])[] => {
  const rows = rowsOf(root).map((row) => ({
    row,
    members: membersOf(row),
    values: asked.measures.map(({ column_id: column = '' }) => valueIn(row, column)),
  }));
  type Found = (typeof rows)[number];
  const key = (column: string, { row, members }: { row: Joined; members: Found['members'] }): Value => {
    const index = asked.dimensions.findIndex(({ column_id }) => column_id === column);
    return index >= 0 ? (members[index]?.sorts ?? null) : valueIn(row, column);
  };
  const all = (one: Found): readonly Value[] => [...one.members.map(({ sorts }) => sorts), ...one.values];
  const compared = (left: Found, right: Found): number => {
    for (const { column_id: column, order } of asked.order) {
      const difference = sortValues(key(column, left), key(column, right), order);
      if (difference !== 0) return difference;
    }
    const others = all(right);
    return (
      all(left)
        .map((value, index) => sortValues(value, others[index] ?? null, 'asc'))
        .find((difference) => difference !== 0) ?? 0
    );
  };
  const { by, offset } = asked.limit ?? { by: rows.length, offset: 0 };
  return rows
    .toSorted(compared)
    .slice(offset, offset + by)
    .map(({ members, values }) => [...members.map(({ shows }) => shows), ...values.map(wire)]);
};
