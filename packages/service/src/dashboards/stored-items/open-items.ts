import { isList, isObject, listIn, memberRows, type Json, type JsonObject } from '@inlay/contract';
import { datasetsOf, parseQueries, type Fault, type Query } from '@inlay/query';
import type { Caller } from '../../access/caller.ts';
import { featureOffAt, hasFeature } from '../../access/features.ts';
import type { AppearanceContext } from '../appearance/load-appearance.ts';
import { Problem } from '../../problems/problem.ts';
import { refusedParameters, type QueryParameters } from './parameter-offers.ts';
import { derive, type DerivedTerms } from './derive.ts';
import type { ItemReference } from './item-references.ts';
import { loadShownItems, type ShownItems } from './shown-items.ts';
import { queryOf, shownColumns, type StoredItem } from './stored-item.ts';

/** Rows of a result as arrays of cells. */
export type AnswerRows = readonly (readonly Json[])[];

/**
 * Selects the rows that an item shows from the rows of its query. `isTruncated` is true if a limit has truncated the
 * rows.
 */
export type ShownRows = (rows: AnswerRows, isTruncated: boolean) => AnswerRows | Promise<AnswerRows>;

/** A query restricted to what its stored item allows. */
export interface DerivedQuery {
  readonly query: Query;
  /** Selects the rows that the item shows; null if it shows all rows. */
  readonly shown: ShownRows | null;
}

/** True if a query takes its dimensions and measures from its item. */
export const isFilledByItem = (query: JsonObject): boolean =>
  (query['dimensions'] ?? null) === null && (query['measures'] ?? null) === null;

function filledBy(query: JsonObject, item: StoredItem): JsonObject {
  const storedQuery = queryOf(item);
  const members = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null));
  const within = (name: string): JsonObject => {
    const [storedValue = null, requestedValue = {}] = [storedQuery[name], members[name]];
    return {
      [name]:
        isObject(storedValue) && isObject(requestedValue) ? { ...storedValue, ...requestedValue } : requestedValue,
    };
  };
  const withStored = (name: string): JsonObject => {
    const requestedValue = members[name] ?? [];
    return { [name]: isList(requestedValue) ? [...requestedValue, ...listIn(storedQuery, name)] : requestedValue };
  };
  return {
    ...storedQuery,
    ...members,
    ...withStored('where'),
    ...withStored('having'),
    ...within('limit'),
    ...within('options'),
  };
}

const invalidQuery = (at: string, message: string): Problem =>
  new Problem('query_invalid', { validation: { [at]: [message] } });

const unreadable = (): Problem =>
  new Problem('forbidden', {
    message:
      'A filter that is stored with this item or its view cannot be read, or there are too many, so its items open no rows.',
  });

/** Creates the problem for a query that deviates from its item. The paths are those of the request. */
function refusal(faults: readonly Fault[], { at }: ItemReference): Problem {
  const listedFaults = faults.slice(0, 100);
  const places: Record<string, readonly string[]> = {};
  for (const fault of listedFaults)
    places[`${at}.${fault.at}`] = [...(places[`${at}.${fault.at}`] ?? []), fault.message];
  const [firstFault] = listedFaults;
  const message = `You may read these datasets, which opens what stored items ask and nothing else: ${firstFault?.at ?? 'the query'} ${firstFault?.message ?? 'is not that of the item'}. Asking freely needs *use*.`;
  return new Problem('forbidden', { message, validation: places });
}

/**
 * Wraps the query of an item that shows only its first members. The query reads all members, and `shown` drops the
 * others. `shown` is null for any other item.
 */
function withShownRows(
  query: Query,
  { limit: requestedLimit }: Query,
  { query: storedQuery }: StoredItem,
): DerivedQuery {
  const { by, offset } = query.limit;
  if ((storedQuery.members?.limit ?? null) === null) return { query, shown: null };
  return {
    query: { ...query, limit: requestedLimit },
    shown: (rows) => memberRows(storedQuery, rows).slice(offset, by === null ? undefined : offset + by),
  };
}

/** Returns why an item may not be queried; null if it may be queried. */
function problemOf(item: StoredItem, linkedIds: ReadonlySet<string>): Problem | null {
  if (!item.isWhole) return unreadable();
  const missingId = [...item.datasets].find((id) => !linkedIds.has(id));
  if (missingId === undefined) return null;
  return new Problem('forbidden', {
    message: `Dataset ${missingId} is not linked to this dashboard, so its items open no rows of it: whoever may *use* the dataset links it (association Datasets).`,
  });
}

/** The items of a dashboard, and the items that a reference matches, such as one item in several views. */
interface OpenItem {
  readonly shown: ShownItems;
  readonly matches: readonly StoredItem[];
}

/** Loads the dashboard items to which the queries of one request refer. Each dashboard is loaded once. */
export class OpenItems {
  readonly #context: AppearanceContext;
  readonly #caller: Caller;
  readonly #dashboards = new Map<string, Promise<ShownItems | null>>();
  /** Columns shown by items, by dashboard. */
  readonly #columns = new Map<string, ReturnType<typeof shownColumns>>();

  constructor(context: AppearanceContext, caller: Caller) {
    this.#context = context;
    this.#caller = caller;
  }

  /** Completes a query with the dimensions and measures of its item. Raises Problem. */
  async filled(query: JsonObject, reference: ItemReference): Promise<JsonObject> {
    const [firstItem] = (await this.#open(reference)).matches;
    if (firstItem === undefined) return query;
    if (!firstItem.isWhole) throw unreadable();
    return filledBy(query, firstItem);
  }

  /** Restricts a query to its stored item. Raises Problem: 400 `query_invalid`, 403 `forbidden`. */
  async derived(query: Query, reference: ItemReference, parameters: QueryParameters): Promise<DerivedQuery> {
    const { shown, matches } = await this.#open(reference);
    const results = matches.map((item) => this.#within(query, item, shown, reference, parameters));
    const result = results.find((outcome) => !(outcome instanceof Problem)) ?? results[0];
    if (result === undefined || result instanceof Problem) throw result ?? new Problem('forbidden');
    return result;
  }

  async #open({ dashboardId, itemId, at }: ItemReference): Promise<OpenItem> {
    if (!hasFeature(this.#caller, 'view')) throw featureOffAt('view', at);
    const loading = this.#dashboards.get(dashboardId) ?? loadShownItems(this.#context, this.#caller, dashboardId);
    this.#dashboards.set(dashboardId, loading);
    const shownItems = await loading;
    if (shownItems === null) throw invalidQuery(`${at}.dashboard_id`, 'is no dashboard, or you may not read it');
    const matches = shownItems.items.filter(({ id }) => id === itemId);
    if (matches.length === 0)
      throw invalidQuery(`${at}.item_id`, 'is no item of this dashboard that asks for anything');
    return { shown: shownItems, matches };
  }

  /** Returns the query restricted to its stored item, or the reason for its refusal. */
  #within(
    query: Query,
    item: StoredItem,
    shownItems: ShownItems,
    reference: ItemReference,
    { given, values }: QueryParameters,
  ): DerivedQuery | Problem {
    const problem = problemOf(item, shownItems.linked) ?? refusedParameters(given, shownItems.offers);
    if (problem !== null) return problem;
    const { queries, faults } = parseQueries(queryOf(item), values);
    const [storedQuery] = queries;
    const [fault] = faults;
    if (storedQuery === undefined || fault !== undefined)
      return invalidQuery(reference.at, `cannot be asked as it is stored: ${fault?.at ?? ''} ${fault?.message ?? ''}`);
    const mayFilter = this.#columnsOf(shownItems, reference.dashboardId);
    const terms = derive(query, { query: storedQuery, finest: item.finest, mayFilter });
    const isLinked = datasetsOf(terms.query).every((id) => shownItems.linked.has(id));
    if (terms.faults.length > 0 || !isLinked) return refusal(terms.faults, reference);
    return this.#lacking(terms, reference, given) ?? withShownRows(terms.query, storedQuery, item);
  }

  /** Returns why what a viewer adds to an item is refused: the feature for it is off. Null if none is. */
  #lacking(
    { isDrilled, ownFilter }: DerivedTerms,
    { at }: ItemReference,
    given: QueryParameters['given'],
  ): Problem | null {
    if (isDrilled && !hasFeature(this.#caller, 'drill')) return featureOffAt('drill', `${at}.dimensions`);
    const addition = ownFilter === null ? given[0]?.at : `${at}.${ownFilter}`;
    if (addition === undefined || hasFeature(this.#caller, 'edit_filters')) return null;
    return featureOffAt('edit_filters', addition);
  }

  /** Returns the columns that the items of a dashboard show. Filters on these columns are allowed. */
  #columnsOf({ items, linked }: ShownItems, dashboardId: string): ReturnType<typeof shownColumns> {
    const knownColumns = this.#columns.get(dashboardId);
    if (knownColumns !== undefined) return knownColumns;
    const openItems = items.filter((item) => item.isWhole && [...item.datasets].every((id) => linked.has(id)));
    const columns = shownColumns(openItems);
    this.#columns.set(dashboardId, columns);
    return columns;
  }
}
