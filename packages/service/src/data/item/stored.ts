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
  filtersFor,
  filtersOf,
  itemsOf,
  onlyOf,
  readFilterGroups,
  type FilterSet,
} from '@inlay/contract';

/** The filters that are stored with a dashboard for some of its items. */
interface StoredFilters {
  readonly where: readonly JsonObject[];
  readonly having: readonly JsonObject[];
  /** Equal for equal filters. */
  readonly mark: string;
}

/** An item as a dashboard holds it, and what it asks. */
export interface StoredItem {
  readonly id: string;
  readonly type: string;
  /** Where it stands in the contents, such as `views[0].items[2]`. */
  readonly path: string;
  /** What it asks without its filters. */
  readonly asked: ItemQuery;
  readonly narrowing: StoredFilters;
  /** Every dataset that its query names. */
  readonly datasets: ReadonlySet<string>;
  /** For each dimension the finest level that viewers may open; null where it has no levels. */
  readonly finest: readonly (number | null)[];
  /** Whether all filters of its view can be read, and are not too many. */
  readonly isWhole: boolean;
}

/** Filters of one query at most, as everywhere. */
const mostFilters = 500;
/** Filters of a view times its items at most: each item has its own of them. */
const mostNarrowings = 50_000;
/** Items and the columns in their slots, of all views together, that readers may ask for. */
const mostColumns = 5000;

function filtersIn(groups: Json): number {
  if (!isList(groups)) return 0;
  const own = (group: JsonObject): number => {
    const filters = member(group, 'filters') ?? null;
    return 1 + (isList(filters) ? filters.length : 0) + filtersIn(member(group, 'subGroups') ?? null);
  };
  return groups.reduce<number>((sum, group) => sum + (isObject(group) ? own(group) : 1), 0);
}

function datasetsIn(value: Json, found: Set<string> = new Set()): ReadonlySet<string> {
  if (isList(value)) value.forEach((one) => datasetsIn(one, found));
  else if (isObject(value))
    for (const [name, one] of Object.entries(value)) {
      if (name === 'dataset_id' && typeof one === 'string') found.add(one);
      else if (one !== undefined) datasetsIn(one, found);
    }
  return found;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Gives the filters of an item: those that are meant for all or for it alone, on the datasets that it names. */
function narrowingOf(sets: readonly FilterSet[]): (item: Item, datasets: ReadonlySet<string>) => StoredFilters {
  const parts = sets.flatMap(({ origin, conditions }) =>
    conditions.flatMap(apart).map((condition) => {
      const datasets = new Set(filtersOf(condition).map(({ datasetId }) => datasetId));
      const found = filtersFor('', datasets, [{ origin: 'global', conditions: [condition] }]);
      return { origin, datasets: [...datasets], ...found, mark: hashOf(JSON.stringify(found)) };
    }),
  );
  return ({ id }, datasets) => {
    const own = parts.filter(
      (one) =>
        (one.origin === 'global' || one.origin === onlyOf(id)) && one.datasets.every((other) => datasets.has(other)),
    );
    return {
      where: own.flatMap(({ where }) => where),
      having: own.flatMap(({ having }) => having),
      mark: own.map(({ mark }) => mark).join(),
    };
  };
}

const unread: StoredFilters = { where: [], having: [], mark: '' };

const datasetsOf = ({ slots }: Item): readonly string[] =>
  slots.flatMap(({ content }) => content.flatMap(({ datasetId }) => datasetId ?? []));

/** Tells the items of a view on whose datasets a filter compares periods. */
function comparedItems(items: readonly Item[]): (item: Item) => boolean {
  const compared = new Set(items.filter(({ type }) => type === 'date-comparison-filter').flatMap(datasetsOf));
  return (item) => datasetsOf(item).some((id) => compared.has(id));
}

function itemsIn(view: JsonObject, at: string): readonly StoredItem[] {
  const groups = member(view, 'filterGroups') ?? [];
  const items = itemsOf(view);
  const filters = filtersIn(groups);
  const isWhole = filters <= mostFilters && filters * items.length <= mostNarrowings && areReadable(groups);
  const narrowing = isWhole ? narrowingOf(readFilterGroups(groups)) : () => unread;
  const isCompared = comparedItems(items.map(({ item }) => item));
  const all = items.flatMap(({ item, index }) =>
    [item, sparklineItem(item), isCompared(item) ? periodItem(item) : null].flatMap((one) =>
      one === null ? [] : [{ item: one, index }],
    ),
  );
  return all.flatMap(({ item, index }) => {
    const asked = itemQuery(item);
    if (asked === null) return [];
    const datasets = datasetsIn(asked.query);
    const finest = asked.dimensions.map(({ content }) => (content === null ? null : finestLevel(content)));
    const { id, type } = item;
    const path = `${at}.items[${index}]`;
    return [{ id, type, path, asked, datasets, finest, isWhole, narrowing: narrowing(item, datasets) }];
  });
}

const lengthOf = (value: Json | undefined): number => (value !== undefined && isList(value) ? value.length : 0);

/** Whether a dashboard has more items and columns than are read again with every request of a reader: none of them counts. */
export function isTooLarge(contents: Json): boolean {
  const within = (value: Json | undefined, of: (one: JsonObject) => number): number =>
    value !== undefined && isList(value)
      ? value.reduce<number>((sum, one) => sum + 1 + (isObject(one) ? of(one) : 0), 0)
      : 0;
  const columns = (item: JsonObject): number => within(item['slots'], (slot) => lengthOf(slot['content']));
  const views = isObject(contents) ? contents['views'] : undefined;
  return within(views, (view) => within(view['items'], columns)) > mostColumns;
}

/** The items of a dashboard that ask for anything, the lines in their cells and numbers of a whole period as one more of the same id, those of all its views; none where it is too large. */
export function storedItems(contents: Json): readonly StoredItem[] {
  if (isTooLarge(contents)) return [];
  const views = isObject(contents) ? (member(upgradeContents(contents), 'views') ?? null) : null;
  if (!isList(views)) return [];
  return views.flatMap((view, index) => (isObject(view) ? itemsIn(view, `views[${index}]`) : []));
}

/** The data query of an item, its filters included. */
export const queryOf = ({ asked: { query }, narrowing: { where, having } }: StoredItem): JsonObject => ({
  ...query,
  where,
  having,
});

/** What an item asks as text: equal as long as only its looks change. Null where its filters cannot be read. */
export const meaningOf = ({ id, type, asked, finest, isWhole, narrowing }: StoredItem): string | null =>
  isWhole ? hashOf(JSON.stringify([id, type, asked.query, asked.members, finest, narrowing.mark])) : null;

const columnKey = (datasetId: Json | undefined, columnId: Json | undefined): string =>
  `${inWords(datasetId)} ${inWords(columnId)}`;

function addTested(conditions: readonly Json[], columns: Set<string>): void {
  for (const condition of conditions) {
    if (!isObject(condition)) continue;
    const under = member(condition, 'and') ?? member(condition, 'or') ?? null;
    const parameters = condition['parameters'] ?? null;
    const on = isList(parameters) ? (parameters[0] ?? null) : null;
    if (isList(under)) addTested(under, columns);
    else if (isObject(on)) columns.add(columnKey(on['dataset_id'], on['column_id']));
  }
}

/** Tells the columns that some items show or filter by. */
export function shownColumns(
  items: readonly StoredItem[],
): (column: { readonly datasetId: string; readonly columnId: string }) => boolean {
  const columns = new Set<string>();
  const narrowings = new Map(items.map(({ narrowing }) => [narrowing.mark, narrowing]));
  for (const { asked } of items)
    for (const { content } of [...asked.dimensions, ...asked.measures])
      if (content !== null && content.columnId !== null) columns.add(columnKey(content.datasetId, content.columnId));
  for (const { where, having } of narrowings.values()) addTested([...where, ...having], columns);
  return ({ datasetId, columnId }) => columns.has(columnKey(datasetId, columnId));
}
