import { isList, isObject, isUuid, member, type Json, type JsonObject } from '@inlay/contract';
import { maxQueries, type Fault } from '@inlay/query';

export interface ItemReference {
  readonly dashboardId: string;
  readonly itemId: string;
  /** Path of the query, such as `find.queries[1]`. */
  readonly at: string;
}

/** A `find` whose queries have no item references, and these references. */
export interface WithoutReferences {
  readonly find: Json;
  /** References by index of the query; null if the query refers to no item. */
  readonly items: readonly (ItemReference | null)[];
  readonly faults: readonly Fault[];
}

/** Maximum number of dashboards to whose items a request may refer, since each dashboard is read as a whole. */
const maxDashboards = 10;
const maxLength = 1000;

const isBatch = (find: Json): find is JsonObject => isObject(find) && member(find, 'queries') !== undefined;

/** Returns the queries of a `find`, in order. */
export function queriesIn(find: Json): readonly Json[] {
  if (!isBatch(find)) return [find];
  const queries = member(find, 'queries') ?? null;
  return isList(queries) ? queries : [];
}

/** Returns a `find` with other queries. `queries` must have the same length as the queries of the `find`. */
export function withQueries(find: Json, queries: readonly Json[]): Json {
  if (!isBatch(find)) return queries[0] ?? find;
  return isList(member(find, 'queries') ?? null) ? { ...find, queries } : find;
}

function referenceIn(
  query: JsonObject,
  at: string,
  fault: (at: string, message: string) => void,
): ItemReference | null {
  const [dashboardId, itemId] = [query['dashboard_id'] ?? null, query['item_id'] ?? null];
  if (dashboardId === null && itemId === null) return null;
  const isDashboard = typeof dashboardId === 'string' && isUuid(dashboardId);
  if (!isDashboard) fault(`${at}.dashboard_id`, 'must be the UUID of the dashboard that holds the item');
  const isItem = typeof itemId === 'string' && itemId !== '' && itemId.length <= maxLength;
  if (!isItem) fault(`${at}.item_id`, 'must be the id of an item of the dashboard, a text');
  return isDashboard && isItem ? { dashboardId: dashboardId.toLowerCase(), itemId, at } : null;
}

/**
 * Separates the item references from queries. If a request refers to too many dashboards, all references are dropped.
 */
export function takeReferences(find: Json): WithoutReferences {
  const faults: Fault[] = [];
  const fault = (at: string, message: string): void => void faults.push({ at, message });
  const queries = queriesIn(find);
  const plainQueries = queries.map((query) => {
    if (!isObject(query)) return query;
    const { dashboard_id: _dashboard, item_id: _item, ...otherMembers } = query;
    return otherMembers;
  });
  if (queries.length > maxQueries) return { find: withQueries(find, plainQueries), items: [], faults };
  const items = queries.map((query, index) =>
    isObject(query) ? referenceIn(query, isBatch(find) ? `find.queries[${index}]` : 'find', fault) : null,
  );
  const dashboards = new Set(items.flatMap((item) => item?.dashboardId ?? []));
  if (dashboards.size <= maxDashboards) return { find: withQueries(find, plainQueries), items, faults };
  fault('find.queries', `may be about the items of at most ${maxDashboards} dashboards`);
  return { find: withQueries(find, plainQueries), items: [], faults };
}
