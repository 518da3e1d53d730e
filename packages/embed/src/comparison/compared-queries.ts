import { periodItem, type ComparedPeriods, type ItemQuery, type Json } from '@inlay/contract';
import { apart, filtersOf, type Condition, type Filter, type FilterSet } from '../filters.ts';
import { dayOf } from '../locale/period.ts';
import { datasetsOf, queryFor, type RequestedItem, type ViewerContext } from '../queries.ts';
import { comparedPeriods } from './periods.ts';

/** A filter that compares the periods of an item, and which those are. */
interface Comparison {
  readonly filter: Filter;
  readonly periods: ComparedPeriods;
}

const dayText = /^\d{4}-\d\d-\d\d$/u;
const dayIn = (value: Json | undefined): number =>
  typeof value === 'string' && dayText.test(value) ? Date.parse(value) : Number.NaN;

function comparisonIn(filter: Filter, today: number): readonly Comparison[] {
  const { compareWith = 'none', expression, value } = filter;
  if (compareWith === 'none' || expression !== '? between ?' || !Array.isArray(value)) return [];
  const [from, to] = [dayIn(value[0]), dayIn(value[1])];
  return from <= to ? [{ filter, periods: comparedPeriods({ from, to }, compareWith, today) }] : [];
}

/** A condition with the compared period in place of the chosen one. */
const moved = (condition: Condition, comparison: Comparison): Condition => {
  if ('join' in condition) return { ...condition, of: condition.of.map((one) => moved(one, comparison)) };
  const { filter } = comparison;
  const { compared } = comparison.periods;
  const text = (day: number): string => new Date(day).toISOString().slice(0, 10);
  return condition === filter ? { ...filter, value: [text(compared.from), text(compared.to)] } : condition;
};

/** What is asked for a number while a filter compares periods of its dataset. */
interface ComparedQueries {
  readonly query: ItemQuery | null;
  /** The same for the compared period; null where nothing is compared. */
  readonly compared: ItemQuery | null;
}

/** The queries of a number: that of the chosen period, and the same of the one that it is compared with. */
export function comparedQueries(
  requested: RequestedItem,
  filters: readonly FilterSet[],
  viewer: ViewerContext,
  nowMs: number,
): ComparedQueries {
  const datasets = datasetsOf(requested.item);
  const today = dayOf(nowMs, viewer.timezoneId ?? 'UTC');
  const [comparison] = filters
    .filter(({ origin }) => !origin.startsWith('only:'))
    .flatMap(({ conditions }) => conditions.flatMap(apart).flatMap(filtersOf))
    .filter(({ datasetId }) => datasets.has(datasetId))
    .flatMap((filter) => comparisonIn(filter, today));
  if (comparison === undefined) return { query: queryFor(requested, filters, viewer), compared: null };
  const item = periodItem(requested.item) ?? requested.item;
  const { periods } = comparison;
  const queryIn = (sets: readonly FilterSet[]): ItemQuery | null => {
    const query = queryFor({ ...requested, item }, sets, viewer);
    return query === null ? null : { ...query, periods };
  };
  const then = filters.map(({ conditions, ...set }) => ({
    ...set,
    conditions: conditions.map((condition) => moved(condition, comparison)),
  }));
  return { query: queryIn(filters), compared: queryIn(then) };
}
