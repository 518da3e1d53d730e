import { isObject, isSameParameter, member, parameterName, type Json, type JsonObject } from '@inlay/contract';
import type { Caller } from '../../access/caller.ts';
import { hasFeature } from '../../access/features.ts';
import { splitFilters, type Initialization } from '../../access/filter-kinds.ts';
import { list } from '../../store/sql.ts';
import type { Reader } from '../../store/store.ts';
import { linkedDatasets } from '../../dashboards/stored-items/shown-items.ts';
import { filterLinks, filtersOf, partiesOf } from './load-filters.ts';
import { createTermsCache, type OpenSecret } from './load-terms.ts';
import { datasetOf, parameterValues } from './row-filters.ts';

/** Parameter values, and the names of sensitive ones. */
interface Parameters {
  readonly values: ReadonlyMap<string, Json>;
  readonly sensitive: readonly string[];
}

/**
 * Converts a starting value to a dashboard filter. Returns null if it has no value, if the value is sensitive, or if
 * its column is hidden.
 */
function startingValue(
  initialization: Initialization,
  { hiddenColumns }: Caller,
  { values, sensitive }: Parameters,
): JsonObject | null {
  const { column_id: columnId, level = null, expression = null, value } = initialization.filter;
  const datasetId = datasetOf(initialization);
  if (datasetId === null || typeof columnId !== 'string' || hiddenColumns.includes(columnId.toLowerCase())) return null;
  const parameter = value !== undefined && isObject(value) ? member(value, 'parameter') : undefined;
  const isParameter = typeof parameter === 'string' && value !== undefined && isObject(value);
  if (isParameter && sensitive.some((name) => isSameParameter(name, parameter))) return null;
  const initialValue = isParameter ? (values.get(parameterName(parameter)) ?? member(value, 'value')) : value;
  if (isParameter && (initialValue === undefined || initialValue === null)) return null;
  const columnRef = { dataset_id: datasetId, column_id: columnId.toLowerCase(), ...(level === null ? {} : { level }) };
  return { expression, parameters: initialValue === undefined ? [columnRef] : [columnRef, initialValue] };
}

/**
 * Creates a function that returns the starting values of a dashboard's filter items for a caller: first the values of
 * the token, then those of links. specification/data-queries#starting-values
 */
export function createStartingValues(reader: Reader, openSecret: OpenSecret) {
  const termsOf = createTermsCache(openSecret);
  return async (caller: Caller, dashboardId: string): Promise<readonly JsonObject[]> => {
    // They are filters of the viewer, who may add none without the feature.
    if (!hasFeature(caller, 'edit_filters')) return [];
    const [terms, linked] = await Promise.all([termsOf(reader, caller), linkedDatasets(reader, dashboardId)]);
    if (linked.size === 0) return [];
    const rows = await reader.rows(filterLinks(list([...linked]), partiesOf(caller), caller.type === 'embed'));
    const { initializations } = splitFilters(rows.flatMap(filtersOf));
    const parameters = { values: parameterValues(terms.parameters), sensitive: terms.sensitive };
    return [...terms.filters.initializations, ...initializations]
      .filter((initialization) => linked.has(datasetOf(initialization) ?? ''))
      .map((initialization) => startingValue(initialization, caller, parameters))
      .filter((value) => value !== null);
  };
}
