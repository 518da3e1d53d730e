import { createHash } from 'node:crypto';
import {
  finestLevel,
  inWords,
  isList,
  isObject,
  itemQuery,
  member,
  periodItem,
  sparklineItem,
  upgradeContents,
  type Item,
  type ItemQuery,
  type Json,
  type JsonObject,
  apart,
  areReadable,
  datasetsOf,
  filtersFor,
  filtersOf,
  itemsOf,
  itemGroups,
  groupsOf,
  filtersWithin,
  listIn,
  listOr,
  objectOr,
  viewGroups,
  onlyOf,
  readFilterGroups,
  type FilterSet,
} from '@inlay/contract';

/** Filters stored with a dashboard that apply to an item. */
interface StoredFilters {
  readonly where: readonly JsonObject[];
  readonly having: readonly JsonObject[];
  /** Hash of the filters, to detect changes. */
  readonly mark: string;
}

/** An item of a stored dashboard with its query. */
export interface StoredItem {
  readonly id: string;
  readonly type: string;
  /** Path of the item in the contents, such as `views[0].items[2]`. */
  readonly path: string;
  /** Query of the item, without the filters. */
  readonly query: ItemQuery;
  readonly filters: StoredFilters;
  /** Ids of all datasets in the query. */
  readonly datasets: ReadonlySet<string>;
  /** The finest level that viewers may open, by index of the dimension; null if the dimension has no levels. */
  readonly finest: readonly (number | null)[];
  /** True if all filters of the item and of its view are readable and within the limit. */
  readonly isWhole: boolean;
}

const maxFilters = 500;
/** Limit of the product of a view's filters and items, since every item gets its own copy of the filters. */
const maxItemFilters = 50_000;
/** Limit of views, items and slot entries together in a dashboard whose items readers may query. */
const maxColumns = 5000;

function countFilters(groups: Json): number {
  if (!isList(groups)) return 0;
  const filtersIn = (group: JsonObject): number => {
    const filters = listIn(group, 'filters').flatMap((condition) => filtersWithin(condition));
    return 1 + filters.length + countFilters(member(group, 'subGroups') ?? null);
  };
  return groups.reduce<number>((sum, group) => sum + (isObject(group) ? filtersIn(group) : 1), 0);
}

function datasetsIn(value: Json, ids: Set<string> = new Set()): ReadonlySet<string> {
  if (isList(value)) value.forEach((element) => datasetsIn(element, ids));
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) {
      if (name === 'dataset_id' && typeof member === 'string') ids.add(member);
      else if (member !== undefined) datasetsIn(member, ids);
    }
  return ids;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/**
 * Returns a function that selects the filters of an item. They must apply to all items or to this item, and to datasets
 * in its query.
 */
function filtersByItem(sets: readonly FilterSet[]): (item: Item, datasets: ReadonlySet<string>) => StoredFilters {
  const parts = sets.flatMap(({ origin, conditions }) =>
    conditions.flatMap(apart).map((condition) => {
      const datasets = new Set(filtersOf(condition).map(({ datasetId }) => datasetId));
      const filters = filtersFor('', datasets, [{ origin: 'global', conditions: [condition] }]);
      return { origin, datasets: [...datasets], ...filters, mark: hashOf(JSON.stringify(filters)) };
    }),
  );
  const partsByOrigin = Map.groupBy(parts, ({ origin }) => origin);
  return ({ id }, datasets) => {
    const itemParts = ['global', onlyOf(id)]
      .flatMap((origin) => partsByOrigin.get(origin) ?? [])
      .filter((part) => part.datasets.every((other) => datasets.has(other)));
    return {
      where: itemParts.flatMap(({ where }) => where),
      having: itemParts.flatMap(({ having }) => having),
      mark: itemParts.map(({ mark }) => mark).join(),
    };
  };
}

const noFilters: StoredFilters = { where: [], having: [], mark: '' };

/**
 * Returns a predicate that is true for the items of a view that readers may query: all filters of the view and those of
 * the item itself are readable and within the limits. Every item gets the filters of the view, but only one its own.
 */
function openItems(view: JsonObject, itemCount: number): (item: Item) => boolean {
  const shared = viewGroups(view).map(({ group }) => group);
  const own = itemGroups(view).map(({ group }) => group);
  const count = countFilters(shared);
  if (count > maxFilters || count * itemCount + countFilters(own) > maxItemFilters || !areReadable(shared))
    return () => false;
  const closedGroups = own.filter((group) => countFilters([group]) > maxFilters || !areReadable([group]));
  const closedIds = new Set(closedGroups.map((group) => objectOr(group)['itemId']));
  return ({ id }) => !closedIds.has(id);
}

/** Returns a predicate that is true for items with a dataset on which a filter of the view compares periods. */
function comparedItems(items: readonly Item[]): (item: Item) => boolean {
  const comparedDatasets = new Set(
    items.filter(({ type }) => type === 'date-comparison-filter').flatMap((item) => [...datasetsOf(item)]),
  );
  return (item) => [...datasetsOf(item)].some((id) => comparedDatasets.has(id));
}

function itemsIn(view: JsonObject, at: string): readonly StoredItem[] {
  const items = itemsOf(view);
  const isOpen = openItems(view, items.length);
  const filtersOfItem = items.some(({ item }) => isOpen(item))
    ? filtersByItem(readFilterGroups(groupsOf(view)))
    : () => noFilters;
  const isCompared = comparedItems(items.map(({ item }) => item));
  const variants = items.flatMap(({ item, index }) =>
    [item, sparklineItem(item), isCompared(item) ? periodItem(item) : null].flatMap((variant) =>
      variant === null ? [] : [{ item: variant, index }],
    ),
  );
  return variants.flatMap(({ item, index }) => {
    const query = itemQuery(item);
    if (query === null) return [];
    const datasets = datasetsIn(query.query);
    const finestLevels = query.dimensions.map(({ content }) => (content === null ? null : finestLevel(content)));
    const { id, type } = item;
    const path = `${at}.items[${index}]`;
    const isWhole = isOpen(item);
    const filters = isWhole ? filtersOfItem(item, datasets) : noFilters;
    return [{ id, type, path, query, datasets, finest: finestLevels, isWhole, filters }];
  });
}

/**
 * True if a dashboard has too many views, items and slot entries to be read with every request. Readers then get no
 * items.
 */
export function isTooLarge(contents: Json): boolean {
  const within = (value: Json | undefined, count: (entry: JsonObject) => number): number =>
    listOr(value).reduce<number>((sum, entry) => sum + 1 + (isObject(entry) ? count(entry) : 0), 0);
  const columns = (item: JsonObject): number => within(item['slots'], (slot) => listOr(slot['content']).length);
  const views = isObject(contents) ? contents['views'] : undefined;
  return within(views, (view) => within(view['items'], columns)) > maxColumns;
}

/**
 * Returns the items in all views of a dashboard that can be queried; empty if the dashboard is too large. Sparklines in
 * cells and numbers for a whole period are additional items with the same id.
 */
export function storedItems(contents: Json): readonly StoredItem[] {
  if (isTooLarge(contents)) return [];
  const views = isObject(contents) ? (member(upgradeContents(contents), 'views') ?? null) : null;
  if (!isList(views)) return [];
  return views.flatMap((view, index) => (isObject(view) ? itemsIn(view, `views[${index}]`) : []));
}

/** Returns the data query of an item, including its filters. */
export const queryOf = ({ query: { query }, filters: { where, having } }: StoredItem): JsonObject => ({
  ...query,
  where,
  having,
});

/**
 * Returns a hash of an item's query, which stays the same if only the item's look changes. Null if the filters of the
 * item are unreadable.
 */
export const meaningOf = ({ id, type, query, finest, isWhole, filters }: StoredItem): string | null =>
  isWhole ? hashOf(JSON.stringify([id, type, query.query, query.members, finest, filters.mark])) : null;

const columnKey = (datasetId: Json | undefined, columnId: Json | undefined): string =>
  `${inWords(datasetId)} ${inWords(columnId)}`;

function addFiltered(conditions: readonly Json[], columns: Set<string>): void {
  for (const condition of conditions) {
    if (!isObject(condition)) continue;
    const joinedFilters = member(condition, 'and') ?? member(condition, 'or') ?? null;
    const parameters = condition['parameters'] ?? null;
    const columnReference = isList(parameters) ? (parameters[0] ?? null) : null;
    if (isList(joinedFilters)) addFiltered(joinedFilters, columns);
    else if (isObject(columnReference))
      columns.add(columnKey(columnReference['dataset_id'], columnReference['column_id']));
  }
}

/** Returns a predicate that is true for columns that items show or filter by. */
export function shownColumns(
  items: readonly StoredItem[],
): (column: { readonly datasetId: string; readonly columnId: string }) => boolean {
  const columns = new Set<string>();
  const filterSets = new Map(items.map(({ filters }) => [filters.mark, filters]));
  for (const { query } of items)
    for (const { content } of [...query.dimensions, ...query.measures])
      if (content !== null && content.columnId !== null) columns.add(columnKey(content.datasetId, content.columnId));
  for (const { where, having } of filterSets.values()) addFiltered([...where, ...having], columns);
  return ({ datasetId, columnId }) => columns.has(columnKey(datasetId, columnId));
}
