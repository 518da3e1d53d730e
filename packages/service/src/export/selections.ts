import { isFilterType, isList, type Item, filtersOf, type FilterSet } from '@inlay/contract';
import type { SelectedMarks } from './drawing/pages.ts';

/** Returns the columns and values of marks that a viewer selected in charts. */
export const selectionsIn = (items: readonly Item[], filters: readonly FilterSet[]): readonly SelectedMarks[] =>
  filters.flatMap(({ origin, conditions }) => {
    const item = items.find(({ id }) => id === origin);
    if (item === undefined || isFilterType(item.type)) return [];
    return conditions.flatMap(filtersOf).map(({ columnId, level, value }): SelectedMarks => {
      const content = item.slots.flatMap((slot) => slot.content).find((entry) => entry.columnId === columnId);
      const selectedValue = value ?? null;
      return { label: content?.label ?? null, level, values: isList(selectedValue) ? selectedValue : [selectedValue] };
    });
  });
