import { isList, isObject, listIn, memberRows, type Json, type JsonObject } from '@inlay/contract';
import { datasetsOf, parseQueries, type Fault, type Query } from '@inlay/query';
import type { Caller } from '../../access/caller.ts';
import type { AppearanceContext } from '../appearance/load-appearance.ts';
import { Problem } from '../../problems/problem.ts';
import { refusedParameters, type QueryParameters } from './parameter-offers.ts';
import { derive } from './derive.ts';
import type { ItemReference } from './item-references.ts';
import { loadShownItems, type ShownItems } from './shown-items.ts';
import { queryOf, shownColumns, type StoredItem } from './stored-item.ts';

/** Rows of a result as arrays of cells. */
export type AnswerRows = readonly (readonly Json[])[];

/** Selects the rows that an item shows from the rows of its query; `isTruncated` if a limit truncated them. */
export type ShownRows = (rows: AnswerRows, isTruncated: boolean) => AnswerRows | Promise<AnswerRows>;

/** A query restricted to its stored item. */
export interface DerivedQuery {
  readonly query: Query;
  /** Null if the item shows all rows. */
  readonly shown: ShownRows | null;
}

/** True if a query takes its dimensions and measures from its item. */
export const isFilledByItem = (query: JsonObject): boolean =>
  (query['dimensions'] ?? null) === null && (query['measures'] ?? null) === null;

function filledBy(query: JsonObject, item: StoredItem): JsonObject {
  const stored = queryOf(item);
  const members = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null));
  const within = (name: string): JsonObject => {
    const [own = null, requested = {}] = [stored[name], members[name]];
    return { [name]: isObject(own) && isObject(requested) ? { ...own, ...requested } : requested };
  };
  const both = (name: string): JsonObject => {
    const requested = members[name] ?? [];
    return { [name]: isList(requested) ? [...requested, ...listIn(stored, name)] : requested };
  };
  return { ...stored, ...members, ...both('where'), ...both('having'), ...within('limit'), ...within('options') };
}

const invalid = (at: string, message: string): Problem =>
  new Problem('query_invalid', { validation: { [at]: [message] } });

const unreadable = (): Problem =>
  new Problem('forbidden', {
    message:
      'A filter that is stored with this view of the dashboard cannot be read, or there are too many, so its items open no rows.',
  });

/** Creates the problem for a query that deviates from its item, with paths of the request. */
function refusal(faults: readonly Fault[], { at }: ItemReference): Problem {
  const listed = faults.slice(0, 100);
  const places: Record<string, readonly string[]> = {};
  for (const fault of listed) places[`${at}.${fault.at}`] = [...(places[`${at}.${fault.at}`] ?? []), fault.message];
  const [first] = listed;
  const message = `You may read these datasets, which opens what stored items ask and nothing else: ${first?.at ?? 'the query'} ${first?.message ?? 'is not that of the item'}. Asking freely needs *use*.`;
  return new Problem('forbidden', { message, validation: places });
}

/** Wraps the query of an item that shows only its first members: reads all members, and `shown` drops the others. */
function withShownRows(query: Query, { limit: all }: Query, { query: stored }: StoredItem): DerivedQuery {
  const { by, offset } = query.limit;
  if ((stored.members?.limit ?? null) === null) return { query, shown: null };
  return {
    query: { ...query, limit: all },
    shown: (rows) => memberRows(stored, rows).slice(offset, by === null ? undefined : offset + by),
  };
}

/** Returns why an item may not be queried; null if it may. */
function closed(item: StoredItem, linked: ReadonlySet<string>): Problem | null {
  if (!item.isWhole) return unreadable();
  const missing = [...item.datasets].find((id) => !linked.has(id));
  if (missing === undefined) return null;
  return new Problem('forbidden', {
    message: `Dataset ${missing} is not linked to this dashboard, so its items open no rows of it: whoever may *use* the dataset links it (association Datasets).`,
  });
}

/** A dashboard item together with the views it appears in. */
interface OpenItem {
  readonly shown: ShownItems;
  readonly matches: readonly StoredItem[];
}

/** Loads the dashboard items that the queries of one request refer to, each dashboard once. */
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
    const [first] = (await this.#open(reference)).matches;
    if (first === undefined) return query;
    if (!first.isWhole) throw unreadable();
    return filledBy(query, first);
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
    const loading = this.#dashboards.get(dashboardId) ?? loadShownItems(this.#context, this.#caller, dashboardId);
    this.#dashboards.set(dashboardId, loading);
    const shown = await loading;
    if (shown === null) throw invalid(`${at}.dashboard_id`, 'is no dashboard, or you may not read it');
    const matches = shown.items.filter(({ id }) => id === itemId);
    if (matches.length === 0) throw invalid(`${at}.item_id`, 'is no item of this dashboard that asks for anything');
    return { shown, matches };
  }

  /** Returns the query restricted to its stored item, or the reason for its refusal. */
  #within(
    query: Query,
    item: StoredItem,
    shown: ShownItems,
    reference: ItemReference,
    { given, values }: QueryParameters,
  ): DerivedQuery | Problem {
    const problem = closed(item, shown.linked) ?? refusedParameters(given, shown.offers);
    if (problem !== null) return problem;
    const { queries, faults } = parseQueries(queryOf(item), values);
    const [stored] = queries;
    const [fault] = faults;
    if (stored === undefined || fault !== undefined)
      return invalid(reference.at, `cannot be asked as it is stored: ${fault?.at ?? ''} ${fault?.message ?? ''}`);
    const mayFilter = this.#columnsOf(shown, reference.dashboardId);
    const { query: derived, faults: beyond } = derive(query, { query: stored, finest: item.finest, mayFilter });
    const isLinked = datasetsOf(derived).every((id) => shown.linked.has(id));
    return beyond.length === 0 && isLinked ? withShownRows(derived, stored, item) : refusal(beyond, reference);
  }

  /** Returns the columns that the items of a dashboard show, on which filters are allowed. */
  #columnsOf({ items, linked }: ShownItems, dashboardId: string): ReturnType<typeof shownColumns> {
    const known = this.#columns.get(dashboardId);
    if (known !== undefined) return known;
    const open = items.filter((item) => item.isWhole && [...item.datasets].every((id) => linked.has(id)));
    const columns = shownColumns(open);
    this.#columns.set(dashboardId, columns);
    return columns;
  }
}
