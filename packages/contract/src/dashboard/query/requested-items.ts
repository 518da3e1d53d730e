import type { ItemQuery } from '../../item/item-rows.ts';
import { itemQuery } from '../../item/item-query.ts';
import type { Item } from '../../item/item.ts';
import type { JsonObject } from '../../json.ts';
import { filtersFor, parametersNamed, parametersOf, type FilterSet } from '../filters/filter.ts';

/** An item at its current drill levels, and the filters that its drill steps set. */
export interface RequestedItem {
  readonly item: Item;
  readonly own: readonly FilterSet[];
}

/** Locale and time zone of the viewer, and the dashboard of the item. */
export interface ViewerContext {
  readonly localeId?: string;
  readonly timezoneId?: string;
  /** Id of the stored dashboard that has the item; null if no dashboard stores it. */
  readonly dashboardId: string | null;
}

/** Returns the datasets that the slots of an item use. */
export const datasetsOf = (item: Item): ReadonlySet<string> =>
  new Set(item.slots.flatMap(({ content }) => content.flatMap(({ datasetId }) => datasetId ?? [])));

/** Returns the query of an item with all filters that apply to the item; null if the item needs no query. */
export function queryFor(
  { item, own }: RequestedItem,
  filters: readonly FilterSet[],
  { dashboardId, ...viewer }: ViewerContext,
): ItemQuery | null {
  const result = itemQuery(item, { ...viewer, ...filtersFor(item.id, datasetsOf(item), [...filters, ...own]) });
  if (result === null) return result;
  const { query } = result;
  const { storedId = item.id } = item;
  const storedIds = dashboardId !== null && storedId !== null && { dashboard_id: dashboardId, item_id: storedId };
  return { ...result, query: { ...storedIds, ...query, ...parametersNamed(query, parametersOf(filters)) } };
}

/** Returns the queries of items. `query` is null if an item needs no query. */
export const queriesFor = (
  items: readonly RequestedItem[],
  filters: readonly FilterSet[],
  context: ViewerContext,
): readonly { readonly id: string; readonly query: ItemQuery | null }[] =>
  items.map((item) => ({ id: item.item.id, query: queryFor(item, filters, context) }));

/**
 * Returns the ids of the items that a change from one origin affects: all items but the origin. If `parameters`
 * changed, returns only items whose filters use one of them.
 */
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
