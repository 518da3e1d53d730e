import type { ItemQuery } from '../../item/item-rows.ts';
import { itemQuery } from '../../item/item-query.ts';
import type { Item } from '../../item/item.ts';
import type { JsonObject } from '../../json.ts';
import { filtersFor, parametersNamed, parametersOf, type FilterSet } from '../filters/filter.ts';

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

/** The datasets that the slots of an item name. */
export const datasetsOf = (item: Item): ReadonlySet<string> =>
  new Set(item.slots.flatMap(({ content }) => content.flatMap(({ datasetId }) => datasetId ?? [])));

/** The query of an item with everything that narrows it; null where it has nothing to ask for. */
export function queryFor(
  { item, own }: RequestedItem,
  filters: readonly FilterSet[],
  { dashboardId, ...asked }: ViewerContext,
): ItemQuery | null {
  const found = itemQuery(item, { ...asked, ...filtersFor(item.id, datasetsOf(item), [...filters, ...own]) });
  if (found === null) return found;
  const { query } = found;
  const stored = dashboardId !== null && { dashboard_id: dashboardId, item_id: item.id };
  return { ...found, query: { ...stored, ...query, ...parametersNamed(query, parametersOf(filters)) } };
}

/** The queries of some items; null where one has nothing to ask for. */
export const queriesFor = (
  items: readonly RequestedItem[],
  filters: readonly FilterSet[],
  context: ViewerContext,
): readonly { readonly id: string; readonly query: ItemQuery | null }[] =>
  items.map((one) => ({ id: one.item.id, query: queryFor(one, filters, context) }));

/** The ids of the items that filters or parameters of one origin change: all others, or those alone whose filters name one of the parameters. */
export const changedItems = (
  items: readonly Item[],
  sets: readonly FilterSet[],
  origin: string,
  parameters: JsonObject | undefined,
): readonly string[] =>
  items
    .filter(
      (item) =>
        item.id !== origin && (!parameters || parametersNamed(filtersFor(item.id, datasetsOf(item), sets), parameters)),
    )
    .map(({ id }) => id);
