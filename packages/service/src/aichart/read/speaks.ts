import type { Reading, Said } from './reading.ts';

/** A mention with the columns that would do for it. */
export interface Wanted {
  readonly said: Said;
  readonly columns: readonly number[];
}

/** Mentions with the columns that would do for each: one that another mention means more surely does not. */
export const wantedBy = ({ said }: Reading): readonly Wanted[] =>
  said.map((one) => {
    const [first] = one.options;
    const taken = (column: number): boolean =>
      column !== first?.column && said.some((other) => other !== one && other.options[0]?.column === column);
    return { said: one, columns: one.options.flatMap(({ column }) => (taken(column) ? [] : [column])) };
  });

/** Where a question speaks of each column, looked up once. */
export function speaker({ said }: Reading): (column: number) => readonly Said[] {
  const known = new Map<number, readonly Said[]>();
  for (const one of said)
    for (const { column, strength } of one.options) {
      const before = known.get(column) ?? [];
      if (strength > 0 && !before.includes(one)) known.set(column, [...before, one]);
    }
  return (column) => known.get(column) ?? none;
}
const none: readonly Said[] = [];
