import { itemQuery, type Item, type ItemQuery } from '@inlay/contract';
import { filtersFor, type FilterSet } from './filters.ts';

/** An item as it is now, with the filters that drilling set on it alone. */
export interface Wanted {
  readonly item: Item;
  readonly own: readonly FilterSet[];
}

const datasetsOf = (item: Item): ReadonlySet<string> =>
  new Set(item.slots.flatMap(({ content }) => content.map(({ datasetId }) => datasetId)));

/** The query of an item with everything that narrows it; null where it has nothing to ask for. */
export function queryFor(
  { item, own }: Wanted,
  filters: readonly FilterSet[],
  asked: { readonly localeId: string; readonly timezoneId: string },
): ItemQuery | null {
  return itemQuery(item, { ...asked, ...filtersFor(item.id, datasetsOf(item), [...filters, ...own]) });
}
