import { declarations, type ItemDeclaration } from '../index.ts';

interface FilteringSlot {
  readonly slot: string;
  readonly by: 'choice' | 'range' | 'text';
}

const itemDeclarations: readonly ItemDeclaration[] = declarations;

/** By filter type: the slot whose first column it filters by, and the kind of filter. */
export const filteringSlots: Readonly<Record<string, FilteringSlot>> = Object.fromEntries(
  itemDeclarations.flatMap((type) =>
    type.kind === 'filter' ? [[type.type, { slot: type.slots[0]?.name ?? '', by: type.filtersBy }]] : [],
  ),
);
