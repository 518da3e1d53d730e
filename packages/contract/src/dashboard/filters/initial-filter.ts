import { filteringSlots } from '../../item-types/tables/filtering-slots.ts';
import { comparisonKindOf, type ComparisonKind } from '../../item/compared-periods.ts';
import { inWords, type Json, type JsonObject } from '../../json.ts';
import type { Item, SlotContent } from '../../item/item.ts';
import { emptySelection, type FilterSelection } from './filter-selection.ts';
import type { Condition, Filter } from './filter.ts';
import { dayOf } from '../../calendar/period.ts';
import { choiceOn, rangeOn, textOn } from './selection-conditions.ts';

/** The initial state of a filter item: its selection, and the conditions that it sets for the other items. */
export interface InitialFilter {
  readonly chosen: FilterSelection;
  readonly conditions: readonly Condition[];
  /** Parameter values that a parameter control sets. It sets no conditions. */
  readonly parameters?: JsonObject;
}

/** Returns the column that a filter item filters by, and how; null if the item is not a filter or is empty. */
function filteringOf(item: Item) {
  const filtering = Object.hasOwn(filteringSlots, item.type) ? filteringSlots[item.type] : undefined;
  const content = item.slots.find(({ name }) => name === filtering?.slot)?.content[0];
  return filtering === undefined || content === undefined ? null : { by: filtering.by, content };
}

/** By kind of filter: returns the expression and the value of the filter for a list of values. */
const filterWriters: Readonly<
  Record<'choice' | 'range' | 'text', (values: readonly Json[]) => readonly [string, Json]>
> = {
  choice: (values) => ['? in ?', values],
  range: ([from = null, to = null]) => {
    if (from === null) return ['? <= ?', to];
    return to === null ? ['? >= ?', from] : ['? between ?', [from, to]];
  },
  text: ([text]) => ['? like ?', `%${inWords(text)}%`],
};

/**
 * Returns the filter that a filter item sets for some values: members, both ends of a range, or a text. Null if the
 * item is not a filter.
 */
export function valueFilter(item: Item, values: readonly Json[]): Filter | null {
  const filtering = filteringOf(item);
  if (filtering === null) return null;
  const { datasetId, columnId, level } = filtering.content;
  const [expression, value] = filterWriters[filtering.by](values);
  return { expression, datasetId: datasetId ?? '', columnId: columnId ?? '', level, value, clause: 'where' };
}

/** Returns the members that a filter selects; null if the filter is no selection of members. */
function membersIn({ expression, value }: Filter): readonly Json[] | null {
  if (expression === '? is null') return [null];
  if (value === undefined) return null;
  if (expression === '? = ?') return [value];
  return expression === '? in ?' ? (Array.isArray(value) ? value : [value]) : null;
}

interface Range {
  readonly from: number | null;
  readonly to: number | null;
}

const day = /^\d{4}-\d\d-\d\d$/u;
const moment = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/u;

/**
 * Returns the day of a value as midnight UTC, if the value is a day or a time at which a day starts (or ends, if
 * `isEnd`). Null for months, years and all other times.
 */
function dayIn(value: Json | undefined, isEnd: boolean, timeZone: string): number | null {
  if (typeof value !== 'string') return null;
  const at = day.test(value) || moment.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isFinite(at)) return null;
  if (day.test(value)) return at;
  const [ownDay, dayBefore, dayAfter] = [at, at - 1, at + 1].map((entry) => dayOf(entry, timeZone));
  return (isEnd ? ownDay !== dayAfter : ownDay !== dayBefore) ? (ownDay ?? null) : null;
}

const numberIn = (value: Json | undefined): number | null =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    ? Number(value)
    : null;

/**
 * Returns the ends of a filter's range. They are days if a time zone is given, otherwise numbers. Null if the control
 * cannot show the filter as a range.
 */
function rangeIn({ expression, value }: Filter, timeZone: string | null): Range | null {
  const [firstValue, lastValue] = Array.isArray(value) ? [value[0], value[1]] : [value, value];
  const from = timeZone === null ? numberIn(firstValue) : dayIn(firstValue, false, timeZone);
  const to = timeZone === null ? numberIn(lastValue) : dayIn(lastValue, true, timeZone);
  const isBounded = from !== null && to !== null;
  if (expression === '? between ?' || expression === '? = ?') return isBounded ? { from, to } : null;
  if (expression === '? >= ?' && from !== null) return { from, to: null };
  return expression === '? <= ?' && to !== null ? { from: null, to } : null;
}

function startOfChoice(content: SlotContent, filter: Filter): InitialFilter | null {
  const members = membersIn(filter);
  if (members === null) return null;
  const condition = choiceOn(content, members);
  const selection = { ...emptySelection, keys: members.map((member) => JSON.stringify(member)) };
  return { chosen: selection, conditions: condition === null ? [] : [condition] };
}

const numbersIn = (ends: readonly (number | null)[]): readonly number[] => ends.filter((end) => end !== null);
const largest = (ends: readonly (number | null)[]): number | null =>
  numbersIn(ends).reduce<number | null>((max, value) => (max === null || value > max ? value : max), null);
const smallest = (ends: readonly (number | null)[]): number | null =>
  numbersIn(ends).reduce<number | null>(
    (minimum, value) => (minimum === null || value < minimum ? value : minimum),
    null,
  );

/** Returns the initial comparison period of a filter item; undefined if the item compares no periods. */
function comparisonOf(item: Item, filters: readonly Filter[]): ComparisonKind | undefined {
  if (item.type !== 'date-comparison-filter') return undefined;
  return filters.find(({ compareWith }) => compareWith !== undefined)?.compareWith ?? comparisonKindOf(item);
}

function startOfRange(
  item: Item,
  content: SlotContent,
  filters: readonly Filter[],
  timeZone: string,
): InitialFilter | null {
  const datetime = content.type === 'datetime';
  const ranges = filters.map((filter) => rangeIn(filter, datetime ? timeZone : null));
  if (!ranges.every((range) => range !== null)) return null;
  const from = largest(ranges.map((range) => range.from));
  const to = smallest(ranges.map((range) => range.to));
  const condition = rangeOn(content, datetime, from, to);
  const kind = comparisonOf(item, filters);
  const comparison = kind === undefined ? {} : { compareWith: kind };
  return {
    chosen: { ...emptySelection, from, to, ...comparison },
    conditions: condition === null ? [] : [{ ...condition, ...comparison }],
  };
}

function startOfText(content: SlotContent, { expression, value }: Filter): InitialFilter | null {
  if (expression !== '? like ?' || typeof value !== 'string') return null;
  const text = value.length > 2 && value.startsWith('%') && value.endsWith('%') ? value.slice(1, -1) : value;
  const condition = textOn(content, text);
  return { chosen: { ...emptySelection, text }, conditions: condition === null ? [] : [condition] };
}

/** Returns a key of a text filter. Filters that differ only in case have the same key. */
const inSmall = ({ expression, value }: Filter): string => JSON.stringify([expression, value]).toLowerCase();

/**
 * Returns the initial state of a filter item, from the initial filters on its first column. Null if there are no such
 * filters. Filters that the control cannot show, such as relative dates, apply until the viewer selects something.
 */
export function initialFilterOf(item: Item, initialFilters: readonly Filter[], timeZone: string): InitialFilter | null {
  const filtering = filteringOf(item);
  if (filtering === null) return null;
  const { content } = filtering;
  const ownConditions = initialFilters.filter(
    ({ datasetId, columnId }) => datasetId === content.datasetId && columnId === content.columnId,
  );
  const [firstCondition] = ownConditions;
  if (firstCondition === undefined) return null;
  const isAlone =
    ownConditions.length === 1 &&
    content.part === null &&
    (firstCondition.level === null || firstCondition.level === content.level);
  const isText = filtering.by === 'text' && ownConditions.every((entry) => inSmall(entry) === inSmall(firstCondition));
  const startOfOne = filtering.by === 'text' ? startOfText : startOfChoice;
  const startSelection =
    filtering.by === 'range'
      ? startOfRange(item, content, ownConditions, timeZone)
      : isAlone || isText
        ? startOfOne(content, firstCondition)
        : null;
  return startSelection ?? { chosen: { ...emptySelection, unshown: true }, conditions: ownConditions };
}
