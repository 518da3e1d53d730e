import { itemQuery, type Item, type ItemQuery } from '@inlay/contract';
import { filtersFor, type FilterSet } from './filters.ts';

/** An item as it is now, with the filters that drilling set on it alone. */
export interface RequestedItem {
  readonly item: Item;
  readonly own: readonly FilterSet[];
}

/** How a viewer reads an item, and the dashboard it is stored in. */
export interface ViewerContext {
  readonly localeId?: string;
  readonly timezoneId?: string;
  /** Null where it is no item of a stored dashboard. */
  readonly dashboardId: string | null;
}

const datasetsOf = (item: Item): ReadonlySet<string> =>
  new Set(item.slots.flatMap(({ content }) => content.flatMap(({ datasetId }) => datasetId ?? [])));

/** The query of an item with everything that narrows it; null where it has nothing to ask for. */
export function queryFor(
  { item, own }: RequestedItem,
  filters: readonly FilterSet[],
  { dashboardId, ...asked }: ViewerContext,
): ItemQuery | null {
  const found = itemQuery(item, { ...asked, ...filtersFor(item.id, datasetsOf(item), [...filters, ...own]) });
  if (found === null || dashboardId === null) return found;
  return { ...found, query: { dashboard_id: dashboardId, item_id: item.id, ...found.query } };
}
