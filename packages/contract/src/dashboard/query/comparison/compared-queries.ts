import { comparisonKindOf, type ComparedPeriods, type WholePeriod } from '../../../item/compared-periods.ts';
import { periodItem } from '../../../item/period-item.ts';
import type { Item } from '../../../item/item.ts';
import type { ItemQuery } from '../../../item/item-rows.ts';
import type { Json } from '../../../json.ts';
import {
  apart,
  conditionsFor,
  filtersOf,
  onlyOf,
  type Condition,
  type Filter,
  type FilterSet,
} from '../../filters/filter.ts';
import { dayOf, periodAt } from '../../../calendar/period.ts';
import { datasetsOf, queryFor, type RequestedItem, type ViewerContext } from '../requested-items.ts';
import { letThrough } from './compared-days.ts';
import { comparedPeriods, periodsTo } from './compared-periods.ts';

/**
 * A filter that compares two periods. `periods` are the period of the filter and the period that it is compared with.
 */
interface Comparison {
  readonly filter: Filter;
  readonly periods: ComparedPeriods;
}

const dayMs = 86_400_000;
const dayText = /^\d{4}-\d\d-\d\d$/u;
const dayIn = (value: Json | undefined): number =>
  typeof value === 'string' && dayText.test(value) ? Date.parse(value) : Number.NaN;

function comparisonIn(filter: Filter, today: number): readonly Comparison[] {
  const { compareWith = 'none', expression, value } = filter;
  if (compareWith === 'none' || expression !== '? between ?' || !Array.isArray(value)) return [];
  const [from, to] = [dayIn(value[0]), dayIn(value[1])];
  return from <= to ? [{ filter, periods: comparedPeriods({ from, to }, compareWith, today) }] : [];
}

const dayTexts = ({ from, to }: WholePeriod): readonly string[] =>
  [from, to].map((day) => new Date(day).toISOString().slice(0, 10));

/** Replaces the period of a filter within a condition. */
const movedTo = (condition: Condition, filter: Filter, period: WholePeriod): Condition => {
  if ('join' in condition)
    return { ...condition, of: condition.of.map((joinedCondition) => movedTo(joinedCondition, filter, period)) };
  return condition === filter ? { ...filter, value: dayTexts(period) } : condition;
};

/** The queries of a number item that compares periods. */
interface ComparedQueries {
  readonly query: ItemQuery | null;
  /** The query with which the value is compared; null if there is no comparison. */
  readonly compared: ItemQuery | null;
}

type Ask = (item: Item, filters: readonly FilterSet[]) => ItemQuery | null;

/** Returns the queries for the period that a filter selects, up to today, and for the comparison period. */
function chosenQueries(
  ask: Ask,
  { item }: RequestedItem,
  filters: readonly FilterSet[],
  comparison: Comparison,
  today: number,
): ComparedQueries {
  const { filter, periods } = comparison;
  const { chosen, compared, isOpen } = periods;
  const queryIn = (period: WholePeriod): ItemQuery | null => {
    const sets = filters.map(({ conditions, ...set }) => ({
      ...set,
      conditions: conditions.map((condition) => movedTo(condition, filter, period)),
    }));
    const query = ask(periodItem(item) ?? item, sets);
    return query === null ? null : { ...query, periods };
  };
  return { query: queryIn({ from: chosen.from, to: isOpen ? today : chosen.to }), compared: queryIn(compared) };
}

/**
 * Returns a query for all periods, and a query for the current period and the comparison period, both up to the same
 * day.
 */
function ownQueries(
  ask: Ask,
  { item, own }: RequestedItem,
  filters: readonly FilterSet[],
  today: number,
  timeZone: string,
): ComparedQueries {
  const query = ask(item, filters);
  const time = query?.dimensions[0]?.content;
  const kind = comparisonKindOf(item);
  // A running total starts again in each query, so its value for a part of the periods would be meaningless.
  const isRunning = query?.measures.some(({ content }) => content?.aggregation === 'cumulativesum') === true;
  if (query === null || !time || time.type !== 'datetime' || time.part !== null || isRunning)
    return { query, compared: null };
  const { datasetId, columnId } = time;
  if (datasetId === null || columnId === null) return { query, compared: null };
  const { from, to } = letThrough(
    { join: 'and', of: conditionsFor(item.id, datasetsOf(item), [...filters, ...own]) },
    { datasetId, columnId, today, timeZone },
  );
  const lastDay = Math.min(today, to);
  const periods = periodsTo(lastDay, time.level ?? 0, kind);
  if (periods === null) return { query, compared: null };
  const isPast = lastDay < today;
  const isOpen = !isPast || lastDay + dayMs !== periodAt(lastDay, time.level ?? 0)?.end;
  if (!isOpen && from === Number.NEGATIVE_INFINITY) return { query, compared: null };
  const within = (period: WholePeriod): Filter => ({
    expression: '? between ?',
    datasetId,
    columnId,
    level: null,
    value: dayTexts(period),
    clause: 'where',
  });
  const set: FilterSet = {
    origin: onlyOf(item.id),
    conditions: [{ join: 'or', of: [periods.chosen, periods.compared].map(within) }],
  };
  const comparedQuery = ask(item, [...filters, set]);
  return {
    query,
    compared:
      comparedQuery === null ? null : { ...comparedQuery, periods: { ...periods, isOpen, isPast, since: from } },
  };
}

/** Returns the queries of a number item: for its value and for its comparison. */
export function comparedQueries(
  requestedItem: RequestedItem,
  filters: readonly FilterSet[],
  viewer: ViewerContext,
  nowMs: number,
): ComparedQueries {
  const datasets = datasetsOf(requestedItem.item);
  const today = dayOf(nowMs, viewer.timezoneId ?? 'UTC');
  const ask: Ask = (item, sets) => queryFor({ ...requestedItem, item }, sets, viewer);
  const [comparison] = filters
    .filter(({ origin }) => !origin.startsWith('only:'))
    .flatMap(({ conditions }) => conditions.flatMap(apart).flatMap(filtersOf))
    .filter(({ datasetId }) => datasets.has(datasetId))
    .flatMap((filter) => comparisonIn(filter, today));
  return comparison === undefined
    ? ownQueries(ask, requestedItem, filters, today, viewer.timezoneId ?? 'UTC')
    : chosenQueries(ask, requestedItem, filters, comparison, today);
}
