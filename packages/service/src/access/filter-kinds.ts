import { filterTerms, isList, isObject, type Json, type JsonObject } from '@inlay/contract';

/**
 * A stored filter. `on` is the dataset of the link that has the filter; null if the filter may refer to any dataset.
 */
interface StoredFilter {
  readonly on: string | null;
  readonly filter: JsonObject;
}

/** A row filter: it restricts the rows that a caller sees in every query. */
export interface FoundFilter extends StoredFilter {
  readonly kind: 'row';
}

/** Restricts the rows in queries of a single item. */
export interface ChartFilter extends StoredFilter {
  readonly kind: 'chart';
  readonly chartId: string;
}

/** Sets the initial value of filter items over a column. */
export interface Initialization extends StoredFilter {
  readonly kind: 'initialization';
}

/**
 * Restricts the groups in queries that have a measure over a column. Applies to one item, or to all items if `chartId`
 * is null.
 */
export interface GroupFilter extends StoredFilter {
  readonly kind: 'group';
  readonly chartId: string | null;
}

export type AnyFilter = FoundFilter | ChartFilter | Initialization | GroupFilter;

/** A link with filters, and the ids of the two records that it connects. */
export interface FilterLink {
  readonly association: string;
  readonly firstId: string;
  readonly targetId: string;
  readonly filters: readonly AnyFilter[];
}

/** Filters of the kinds that are not row filters. */
export interface OtherFilters {
  readonly chartFilters: readonly ChartFilter[];
  readonly initializations: readonly Initialization[];
  readonly groupFilters: readonly GroupFilter[];
}

/** Filters by kind. */
export interface FoundFilters extends OtherFilters {
  readonly rowFilters: readonly FoundFilter[];
}

/** Marks a filter that is known to be a row filter, such as a filter delegated by an owner. */
export const rowFilter = (datasetId: string | null, filter: JsonObject): FoundFilter => ({
  kind: 'row',
  on: datasetId,
  filter,
});

/**
 * Determines the kind of a stored filter. If in doubt, it is a row filter, which refuses all rows if it is malformed.
 * specification/rights#filters-that-are-no-row-filters
 */
export function filterOf(datasetId: string | null, stored: Json): AnyFilter {
  const filter = isObject(stored) ? stored : {};
  const { clause = 'where', origin = 'global', chart_id: chartId = null } = filter;
  const isOfChart = origin === 'chart' && typeof chartId === 'string';
  if (clause === 'having' && isOfChart) return { kind: 'group', chartId, on: datasetId, filter };
  if (clause === 'having' && origin === 'global') return { kind: 'group', chartId: null, on: datasetId, filter };
  if (clause === 'where' && isOfChart) return { kind: 'chart', chartId, on: datasetId, filter };
  if (clause === 'where' && origin === 'initialization') return { kind: 'initialization', on: datasetId, filter };
  return rowFilter(datasetId, filter);
}

/**
 * Returns the filters of a stored list. If the value is neither a list nor null, it counts as a malformed row filter,
 * which refuses all rows.
 */
export function filtersIn(stored: Json | undefined, datasetId: string | null = null): readonly AnyFilter[] {
  if (stored === undefined || stored === null) return [];
  return isList(stored) ? stored.map((entry) => filterOf(datasetId, entry)) : [rowFilter(datasetId, {})];
}

/** Returns a filter whose column and value are next to `expression` instead of in `parameters`. */
function flatFilter(filter: JsonObject): JsonObject {
  const { parameters, ...rest } = filter;
  if (parameters === undefined) return filter;
  const { datasetId = null, columnId = null, level, value } = filterTerms(filter);
  return {
    securable_id: datasetId,
    column_id: columnId,
    ...(level === undefined ? {} : { level }),
    ...rest,
    ...(value === undefined ? {} : { value }),
  };
}

/**
 * Normalizes a filter for the store. A filter that does not restrict rows begins with the member that shows this, so
 * that `seesAllRows` recognizes it.
 */
export function filterAsStored(sentFilter: Json): Json {
  if (!isObject(sentFilter)) return sentFilter;
  const filter = flatFilter(sentFilter);
  if (filterOf(null, filter).kind === 'row') return filter;
  const { clause, origin, securable_id = null, ...rest } = filter;
  return clause === 'having'
    ? { clause, securable_id, ...(origin === undefined ? {} : { origin }), ...rest }
    : { origin: origin ?? null, securable_id, ...(clause === undefined ? {} : { clause }), ...rest };
}

/** Groups filters by kind. */
export const splitFilters = (filters: readonly AnyFilter[]): FoundFilters => ({
  rowFilters: filters.filter((filter) => filter.kind === 'row'),
  chartFilters: filters.filter((filter) => filter.kind === 'chart'),
  initializations: filters.filter((filter) => filter.kind === 'initialization'),
  groupFilters: filters.filter((filter) => filter.kind === 'group'),
});
