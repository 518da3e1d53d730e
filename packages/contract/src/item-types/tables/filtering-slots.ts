import { declarations, type ItemDeclaration } from '../index.ts';

interface FilteringSlot {
  readonly slot: string;
  readonly by: 'choice' | 'range' | 'text';
}

const all: readonly ItemDeclaration[] = declarations;

/** By type of filter the slot whose first column it filters by, and how. */
export const filteringSlots: Readonly<Record<string, FilteringSlot>> = Object.fromEntries(
  all.flatMap((one) =>
    one.kind === 'filter' ? [[one.type, { slot: one.slots[0]?.name ?? '', by: one.filtersBy }]] : [],
  ),
);
