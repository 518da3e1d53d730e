import { filterTerms, isList, isObject, type Json, type JsonObject } from '@inlay/contract';

/** A filter as stored, and the dataset whose link carries it; null where it may name any dataset. */
interface StoredFilter {
  readonly on: string | null;
  readonly filter: JsonObject;
}

/** A row filter: it bounds the rows that a caller sees, whatever they query. */
export interface FoundFilter extends StoredFilter {
  readonly kind: 'row';
}

/** Narrows the rows of the queries of one item. */
export interface ChartFilter extends StoredFilter {
  readonly kind: 'chart';
  readonly chartId: string;
}

/** The value with which filter items over a column start. */
export interface Initialization extends StoredFilter {
  readonly kind: 'initialization';
}

/** Narrows the groups of queries with a measure over a column: of all items, or of one. */
export interface GroupFilter extends StoredFilter {
  readonly kind: 'group';
  readonly chartId: string | null;
}

export type AnyFilter = FoundFilter | ChartFilter | Initialization | GroupFilter;

/** Filters that are no row filters. */
export interface OtherFilters {
  readonly chartFilters: readonly ChartFilter[];
  readonly initializations: readonly Initialization[];
  readonly groupFilters: readonly GroupFilter[];
}

/** Filters by what they do. */
export interface FoundFilters extends OtherFilters {
  readonly rowFilters: readonly FoundFilter[];
}

/** A filter that is known to bound rows, as one that an owner handed on. */
export const rowFilter = (on: string | null, filter: JsonObject): FoundFilter => ({ kind: 'row', on, filter });

/** What a stored filter does. One that is not certainly another kind is a row filter, which refuses where it cannot be read. specification/rights#filters-that-are-no-row-filters */
export function filterOf(on: string | null, stored: Json): AnyFilter {
  const filter = isObject(stored) ? stored : {};
  const { clause = 'where', origin = 'global', chart_id: chartId = null } = filter;
  const isOfChart = origin === 'chart' && typeof chartId === 'string';
  if (clause === 'having' && isOfChart) return { kind: 'group', chartId, on, filter };
  if (clause === 'having' && origin === 'global') return { kind: 'group', chartId: null, on, filter };
  if (clause === 'where' && isOfChart) return { kind: 'chart', chartId, on, filter };
  if (clause === 'where' && origin === 'initialization') return { kind: 'initialization', on, filter };
  return rowFilter(on, filter);
}

/** The filters of a stored list; anything else than a list or nothing counts as a row filter that refuses. */
export function filtersIn(stored: Json | undefined, on: string | null = null): readonly AnyFilter[] {
  if (stored === undefined || stored === null) return [];
  return isList(stored) ? stored.map((one) => filterOf(on, one)) : [rowFilter(on, {})];
}

/** A filter with its column and value next to `expression`. */
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

/** A filter as it is stored. One that bounds no rows begins with the member that says so, by which `seesAllRows` finds it. */
export function filterAsStored(given: Json): Json {
  if (!isObject(given)) return given;
  const filter = flatFilter(given);
  if (filterOf(null, filter).kind === 'row') return filter;
  const { clause, origin, securable_id = null, ...rest } = filter;
  return clause === 'having'
    ? { clause, securable_id, ...(origin === undefined ? {} : { origin }), ...rest }
    : { origin: origin ?? null, securable_id, ...(clause === undefined ? {} : { clause }), ...rest };
}

/** Tells filters apart by what they do. */
export const splitFilters = (found: readonly AnyFilter[]): FoundFilters => ({
  rowFilters: found.filter((one) => one.kind === 'row'),
  chartFilters: found.filter((one) => one.kind === 'chart'),
  initializations: found.filter((one) => one.kind === 'initialization'),
  groupFilters: found.filter((one) => one.kind === 'group'),
});
