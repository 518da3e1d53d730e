import { binned, byPeriod } from './item-grain.ts';
import { isAggregatedEntry, readEntry, type Item, type SlotContent } from './item.ts';
import type { ItemQuery, MemberOrder, ResultSlot, SeriesLimit } from './item-rows.ts';
import { countsRows } from '../item-types/facts.ts';
import {
  largestFirstSlots,
  ownSlotParts,
  plainRowTypes,
  searchTypes,
  slotParts,
  splittingSlots,
} from '../item-types/tables/query-tables.ts';
import { filledText, isObject, member, type Json, type JsonObject } from '../json.ts';

const maxRows = 10_000;

const isNumber = (content: SlotContent): boolean =>
  content.columnId === null || (content.type === 'numeric' && content.bins === null);

type EntryPart = 'dimension' | 'measure' | 'range';

function partOf({ type }: Item, slot: string, content: SlotContent): EntryPart {
  const part = ownSlotParts[`${type} ${slot}`] ?? slotParts[slot] ?? 'dimension';
  if (part !== 'either' && part !== 'field') return part;
  return isNumber(content) || (part === 'field' && isAggregatedEntry(content)) ? 'measure' : 'dimension';
}

const columnOf = ({ datasetId, columnId }: SlotContent): JsonObject => ({
  dataset_id: datasetId,
  column_id: columnId ?? '',
});

const grainOf = ({ level, part }: SlotContent): JsonObject =>
  part === null ? (level === null ? {} : { level }) : { part };

const formulaOf = ({ datasetId, formulaId, formula }: SlotContent): JsonObject => ({
  ...(datasetId === null ? {} : { dataset_id: datasetId }),
  ...(formulaId === null ? { formula } : { formula_id: formulaId }),
});

const dimensionOf = (content: SlotContent): JsonObject => ({
  ...columnOf(content),
  ...grainOf(content),
  ...(content.bins === null ? {} : { discretization: { type: 'nice', bins: content.bins } }),
});

/** Returns the aggregation of a measure. By default it is `sum` for numbers and `count` for other values. */
export const aggregationOf = ({ aggregation, type }: SlotContent): string => {
  const defaultAggregation = type === 'numeric' ? 'sum' : 'count';
  return aggregation === null || aggregation === 'none' ? defaultAggregation : aggregation;
};

function measureOf(content: SlotContent): JsonObject {
  const { formulaId, formula, weight } = content;
  if (formulaId !== null || formula !== null) return formulaOf(content);
  const weightReference = weight === null ? {} : { dataset_id: weight.datasetId, column_id: weight.columnId };
  return { ...columnOf(content), aggregation: { type: aggregationOf(content), ...weightReference } };
}

/** True if an item shows rows that are not aggregated. */
function showsPlainRows({ type }: Item, entries: readonly ResultSlot[]): boolean {
  const plainRows = plainRowTypes[type];
  const contents = entries.flatMap(({ content }) => content ?? []);
  return (
    contents.every(({ columnId, aggregation }) => columnId !== null && (aggregation ?? 'none') === 'none') &&
    (plainRows === 'any' ||
      (plainRows === 'numeric' && contents.every((content) => isNumber(content) && content.aggregation === null)))
  );
}

/** Returns the measure that counts the rows of a dataset. */
const rowsOf = (datasetId: string): JsonObject => ({
  dataset_id: datasetId,
  column_id: '*',
  aggregation: { type: 'count' },
});

/** Returns the dataset whose rows are counted: that of the first entry with a dataset. Null if no entry has one. */
const datasetOf = (slots: readonly ResultSlot[]): string | null =>
  slots.find(({ content }) => (content?.datasetId ?? null) !== null)?.content?.datasetId ?? null;

/** How an item is sorted: by an entry of a slot, or by another column or formula. */
interface ItemSort {
  readonly slot: string | null;
  readonly index: number;
  readonly other: SlotContent | null;
  readonly order: 'asc' | 'desc';
}

const isNamedMember = ({ type, part, bins }: SlotContent): boolean =>
  type !== 'datetime' && part === null && bins === null;

/** Returns the default order: by the first measure, if the members have no natural order; otherwise null. */
function defaultSort(item: Item): ItemSort | null {
  const slot = largestFirstSlots[item.type];
  const members = item.slots.find(({ name }) => name === slot)?.content ?? [];
  return slot !== undefined && members.length > 0 && members.every(isNamedMember)
    ? { slot: 'measure', index: 0, other: null, order: 'desc' }
    : null;
}

function sortOf(item: Item): ItemSort | null {
  const sort = member(item.options, 'sort');
  if (!isObject(sort)) return defaultSort(item);
  const index = member(sort, 'index');
  return {
    slot: filledText(member(sort, 'by')),
    index: typeof index === 'number' && Number.isInteger(index) ? index : 0,
    other: readEntry(sort)[0] ?? null,
    order: member(sort, 'order') === 'desc' ? 'desc' : 'asc',
  };
}

/** Returns the index of the entry by which the item is sorted; -1 if there is none. */
const sortedPlace = ({ slot, index }: ItemSort, slots: readonly ResultSlot[]): number => {
  const places = [...slots.keys()].filter((place) => slots[place]?.slot === slot);
  return places[index] ?? places[0] ?? -1;
};

function orderOf(item: Item, slots: readonly ResultSlot[], asRows: boolean): readonly JsonObject[] {
  const sort = sortOf(item);
  if (sort === null) return [];
  const { slot, order, other } = sort;
  const key = slot === null ? undefined : slots[sortedPlace(sort, slots)];
  const dataset = datasetOf(slots);
  if (key === undefined && slot === 'measure' && dataset !== null) return [{ ...rowsOf(dataset), order }];
  const content = key?.content ?? (slot === null ? other : null);
  if (content === null) return [];
  if (asRows && content.columnId !== null) return [{ ...columnOf(content), order }];
  const isMeasureEntry =
    content.columnId === null ||
    (key === undefined ? isAggregatedEntry(content) : partOf(item, key.slot, content) === 'measure');
  return [{ ...(isMeasureEntry ? measureOf(content) : { ...columnOf(content), ...grainOf(content) }), order }];
}

/** True if the members of a dimension split those of the other dimensions into parts. */
export const isSplitting = ({ slot }: ResultSlot): boolean => splittingSlots.includes(slot);

/** True if each row is only a part of a member, because a dimension splits the members. */
const isSplit = (dimensions: readonly ResultSlot[]): boolean =>
  dimensions.some(isSplitting) && !dimensions.every(isSplitting);

const limitOf = (item: Item): number | null => {
  if (searchTypes.includes(item.type)) return 1;
  const limit = member(item.options, 'limit');
  return typeof limit === 'number' && Number.isInteger(limit) && limit > 0 ? Math.min(limit, maxRows) : null;
};

/** Aggregations whose partial results can be added up. */
const additive = ['sum', 'count'];
/** True if partial results of a measure can be added up. */
export const addsUp = ({ content }: ResultSlot): boolean =>
  content === null || (content.columnId !== null && additive.includes(aggregationOf(content)));

/** True if the item combines the members beyond its limit as "Others". */
const asksOthers = (item: Item, dimensions: readonly ResultSlot[]): boolean =>
  member(item.options, 'others') === true && limitOf(item) !== null && dimensions.length > 0;

/** True if a filter can match the members of a dimension, so that a query can exclude them. */
const isNameable = ({ content }: ResultSlot): boolean =>
  content !== null &&
  content.bins === null &&
  content.part === null &&
  (content.type !== 'datetime' || content.level !== null);

/**
 * Returns the dimensions, beginning with the dimension of the members. Null if several dimensions make up the members,
 * or if a filter cannot match the members.
 */
function membersFirst(dimensions: readonly ResultSlot[]): readonly ResultSlot[] | null {
  const [members, ...otherDimensions] = dimensions.filter((dimension) => !isSplitting(dimension));
  return members !== undefined && otherDimensions.length === 0 && isNameable(members)
    ? [members, ...dimensions.filter(isSplitting)]
    : null;
}

const isRunning = ({ content }: ResultSlot): boolean => content !== null && aggregationOf(content) === 'cumulativesum';

/**
 * Returns the dimensions of a query in which the service computes "Others". Null if the item adds "Others" up from
 * rows, or if they cannot be computed.
 */
const remainderOf = (
  item: Item,
  dimensions: readonly ResultSlot[],
  measures: readonly ResultSlot[],
): readonly ResultSlot[] | null =>
  asksOthers(item, dimensions) && !measures.every(addsUp) && !measures.some(isRunning)
    ? membersFirst(dimensions)
    : null;

/** True if `others` has no effect: partial results cannot be added up, and no query can exclude the shown members. */
export function hasUnknownOthers(item: Item): boolean {
  const result = itemQuery(item);
  if (result === null || !asksOthers(item, result.dimensions) || result.measures.every(addsUp)) return false;
  return remainderOf(item, result.dimensions, result.measures) === null;
}

function memberOrderOf(
  item: Item,
  entries: readonly ResultSlot[],
  dimensions: readonly ResultSlot[],
  measures: readonly ResultSlot[],
): MemberOrder | null {
  const sort = sortOf(item);
  const limit = limitOf(item);
  const others = asksOthers(item, dimensions) && measures.every(addsUp);
  if (!others && (!isSplit(dimensions) || (limit === null && sort === null))) return null;
  const sortedEntry = sort === null ? undefined : entries[sortedPlace(sort, entries)];
  const by =
    sortedEntry === undefined ? (sort === null ? -1 : sortedPlace(sort, measures)) : measures.indexOf(sortedEntry);
  return { by: by === -1 ? null : dimensions.length + by, order: sort?.order ?? 'asc', limit, others };
}

/** Returns the limit of the legend's members; null if there is none, or if the others cannot be added up from rows. */
function seriesOf(item: Item, dimensions: readonly ResultSlot[], measures: readonly ResultSlot[]): SeriesLimit | null {
  const limit = member(item.options, 'seriesLimit');
  const place = dimensions.findIndex(({ slot }) => slot === 'legend');
  const isLimited = typeof limit === 'number' && Number.isInteger(limit) && limit > 1;
  if (!isLimited || place < 0 || measures.length === 0 || !measures.every(addsUp)) return null;
  return { place, by: dimensions.length, limit };
}

/** True if `seriesLimit` has no effect: the item has no legend, or its measures cannot be added up. */
export function hasUnlimitedSeries(item: Item): boolean {
  const result = itemQuery(item);
  return result !== null && seriesOf(item, result.dimensions, result.measures) === null;
}

/** Filters of an item's query, and the locale and time zone of its viewer. */
export interface ItemQueryOptions {
  readonly where?: readonly Json[];
  readonly having?: readonly Json[];
  readonly localeId?: string;
  readonly timezoneId?: string;
}

/**
 * Returns the data query of an item; null if its slots are empty. A row of the answer has a cell for each of
 * `dimensions`, followed by a cell for each of `measures`.
 */
export function itemQuery(item: Item, options: ItemQueryOptions = {}): ItemQuery | null {
  const entries = item.slots.flatMap(({ name, content }) =>
    content.map((entry): ResultSlot => ({ slot: name, content: entry })),
  );
  if (entries.length === 0) return null;
  const of = (part: EntryPart): readonly ResultSlot[] =>
    entries.filter(({ slot, content }) => content !== null && partOf(item, slot, content) === part);
  const ranges = of('range');
  const namedMeasures = of('measure');
  const groupEntries = of('dimension').map((entry) => binned(item, byPeriod(item, entry)));
  const countedDataset = namedMeasures.length === 0 && countsRows(item.type) ? datasetOf(entries) : null;
  const measures: readonly ResultSlot[] =
    countedDataset !== null ? [{ slot: 'measure', content: null }] : [...namedMeasures, ...ranges, ...ranges];
  const asRows = showsPlainRows(item, entries);
  const remaining = asRows ? null : remainderOf(item, groupEntries, measures);
  const dimensions = remaining ?? groupEntries;
  const members = remaining === null ? memberOrderOf(item, entries, dimensions, measures) : null;
  const series = seriesOf(item, dimensions, measures);
  // If members are limited after the query, the query must return all rows.
  const by = (members === null && series === null ? limitOf(item) : null) ?? maxRows;
  const rangeOf =
    (type: 'min' | 'max') =>
    (resultSlot: ResultSlot): JsonObject => ({
      ...(resultSlot.content === null ? {} : columnOf(resultSlot.content)),
      aggregation: { type },
    });
  const query: JsonObject = {
    dimensions: dimensions.flatMap(({ content }) => (content === null ? [] : [dimensionOf(content)])),
    measures:
      countedDataset !== null
        ? [rowsOf(countedDataset)]
        : [
            ...namedMeasures.flatMap(({ content }) =>
              content === null ? [] : [asRows ? columnOf(content) : measureOf(content)],
            ),
            ...ranges.map(rangeOf('min')),
            ...ranges.map(rangeOf('max')),
          ],
    ...(options.where === undefined || options.where.length === 0 ? {} : { where: options.where }),
    ...(options.having === undefined || options.having.length === 0 ? {} : { having: options.having }),
    order: orderOf(item, entries, asRows),
    limit: { by, offset: 0, ...(remaining === null ? {} : { others: true }) },
    options: {
      ...(asRows ? { rollup_data: false } : {}),
      ...(options.localeId === undefined ? {} : { locale_id: options.localeId }),
      ...(options.timezoneId === undefined ? {} : { timezone_id: options.timezoneId }),
    },
  };
  return { query, dimensions, measures, members, ...(series === null ? {} : { series }) };
}
