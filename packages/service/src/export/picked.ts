import { isFilterType, isList, type Item, filtersOf, type FilterSet } from '@inlay/contract';
import type { PickedMarks } from './drawing/pages.ts';

/** What a viewer chose in charts: the columns of those items, and their values. */
export const pickedIn = (items: readonly Item[], filters: readonly FilterSet[]): readonly PickedMarks[] =>
  filters.flatMap(({ origin, conditions }) => {
    const item = items.find(({ id }) => id === origin);
    if (item === undefined || isFilterType(item.type)) return [];
    return conditions.flatMap(filtersOf).map(({ columnId, level, value }): PickedMarks => {
      const content = item.slots.flatMap((slot) => slot.content).find((one) => one.columnId === columnId);
      const given = value ?? null;
      return { label: content?.label ?? null, level, values: isList(given) ? given : [given] };
    });
  });
