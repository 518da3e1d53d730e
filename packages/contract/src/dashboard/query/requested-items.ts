import type { ItemQuery } from '../../item/item-rows.ts';
import { itemQuery } from '../../item/item-query.ts';
import type { Item } from '../../item/item.ts';
import type { JsonObject } from '../../json.ts';
import { filtersFor, parametersNamed, parametersOf, type FilterSet } from '../filters/filter.ts';

/** An item at its current drill levels, with the filters of its drill steps. */
export interface RequestedItem {
  readonly item: Item;
  readonly own: readonly FilterSet[];
}

/** Locale and time zone of the viewer, and the dashboard of the item. */
export interface ViewerContext {
  readonly localeId?: string;
  readonly timezoneId?: string;
  /** Null if the dashboard is not stored. */
  readonly dashboardId: string | null;
}

/** Returns the datasets used in the slots of an item. */
export const datasetsOf = (item: Item): ReadonlySet<string> =>
  new Set(item.slots.flatMap(({ content }) => content.flatMap(({ datasetId }) => datasetId ?? [])));

/** Returns the query of an item with all its filters; null if the item needs no query. */
export function queryFor(
  { item, own }: RequestedItem,
  filters: readonly FilterSet[],
  { dashboardId, ...viewer }: ViewerContext,
): ItemQuery | null {
  const result = itemQuery(item, { ...viewer, ...filtersFor(item.id, datasetsOf(item), [...filters, ...own]) });
  if (result === null) return result;
  const { query } = result;
  const storedIds = dashboardId !== null && { dashboard_id: dashboardId, item_id: item.id };
  return { ...result, query: { ...storedIds, ...query, ...parametersNamed(query, parametersOf(filters)) } };
}

/** Returns the queries of items; null for items without a query. */
export const queriesFor = (
  items: readonly RequestedItem[],
  filters: readonly FilterSet[],
  context: ViewerContext,
): readonly { readonly id: string; readonly query: ItemQuery | null }[] =>
  items.map((item) => ({ id: item.item.id, query: queryFor(item, filters, context) }));

/** Ids of the items that a change from one origin affects: all others, or with `parameters` only those whose filters use them. */
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
