import type { Item, Json, SlotContent } from '@inlay/contract';
import { emptySelection, type FilterSelection } from './filter-selection.ts';
import type { Condition, Filter } from './filters.ts';
import { choiceOn, rangeOn } from './marks.ts';

/** What a filter item starts with: what it shows as set, and what other items are narrowed by. */
export interface Start {
  readonly chosen: FilterSelection;
  readonly conditions: readonly Condition[];
}

/** The slot of each filter item whose first column it filters by, and how. */
const filterItems: Readonly<Record<string, { readonly slot: string; readonly by: 'choice' | 'range' }>> = {
  'dropdown-filter': { slot: 'dimension', by: 'choice' },
  'slicer-filter': { slot: 'dimension', by: 'choice' },
  'date-filter': { slot: 'time', by: 'range' },
  'slider-filter': { slot: 'slidermetric', by: 'range' },
};

/** The members that a filter chooses; null where it is no choice. */
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

const dayMs = 86_400_000;
const day = /^\d{4}-\d\d-\d\d$/u;
const moment = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/u;

/** A time as the control takes it: days are those of UTC there. Null for a month or a year, which it cannot show. */
function timeIn(value: Json | undefined, isEnd: boolean): number | null {
  if (typeof value !== 'string') return null;
  const read = day.test(value) || moment.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isFinite(read) ? read + (isEnd && day.test(value) ? dayMs - 1 : 0) : null;
}

const numberIn = (value: Json | undefined): number | null =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    ? Number(value)
    : null;

/** The ends of the range that a filter sets; null where it is no range, or one that the control cannot show. */
function rangeIn({ expression, value }: Filter, datetime: boolean): Range | null {
  const [first, last] = Array.isArray(value) ? [value[0], value[1]] : [value, value];
  const from = datetime ? timeIn(first, false) : numberIn(first);
  const to = datetime ? timeIn(last, true) : numberIn(last);
  const both = from !== null && to !== null;
  if (expression === '? between ?' || expression === '? = ?') return both ? { from, to } : null;
  if (expression === '? >= ?' && from !== null) return { from, to: null };
  return expression === '? <= ?' && to !== null ? { from: null, to } : null;
}

function startOfChoice(content: SlotContent, filter: Filter): Start | null {
  const members = membersIn(filter);
  if (members === null) return null;
  const condition = choiceOn(content, members);
  const chosen = { ...emptySelection, keys: members.map((one) => JSON.stringify(one)) };
  return { chosen, conditions: condition === null ? [] : [condition] };
}

const numbersIn = (ends: readonly (number | null)[]): readonly number[] => ends.filter((one) => one !== null);
const largest = (ends: readonly (number | null)[]): number | null =>
  numbersIn(ends).reduce<number | null>((most, one) => (most === null || one > most ? one : most), null);
const smallest = (ends: readonly (number | null)[]): number | null =>
  numbersIn(ends).reduce<number | null>((least, one) => (least === null || one < least ? one : least), null);

function startOfRange(content: SlotContent, filters: readonly Filter[]): Start | null {
  const datetime = content.type === 'datetime';
  const ranges = filters.map((filter) => rangeIn(filter, datetime));
  if (!ranges.every((range) => range !== null)) return null;
  const from = largest(ranges.map((range) => range.from));
  const to = smallest(ranges.map((range) => range.to));
  const condition = rangeOn(content, datetime, from, to);
  return { chosen: { ...emptySelection, from, to }, conditions: condition === null ? [] : [condition] };
}

/**
 * What a filter item starts with: the starting values on its first column. Where it cannot show them (a relative date) they
 * hold all the same, until the viewer sets something else. Null where there are none.
 */
export function startOf(item: Item, initial: readonly Filter[]): Start | null {
  const filtering = Object.hasOwn(filterItems, item.type) ? filterItems[item.type] : undefined;
  const content = item.slots.find(({ name }) => name === filtering?.slot)?.content[0];
  if (filtering === undefined || content === undefined) return null;
  const own = initial.filter(
    ({ datasetId, columnId }) => datasetId === content.datasetId && columnId === content.columnId,
  );
  const [first] = own;
  if (first === undefined) return null;
  const isAlone = own.length === 1 && content.part === null && (first.level === null || first.level === content.level);
  const shown = filtering.by === 'range' ? startOfRange(content, own) : isAlone ? startOfChoice(content, first) : null;
  return shown ?? { chosen: { ...emptySelection, unshown: true }, conditions: own };
}
