import { isObject, textOr, type Feature, type Json, type JsonObject } from '@inlay/contract';
import {
  datasetsOf,
  parseQueries,
  type Fault,
  type Measure,
  type ParsedQueries,
  type ParameterValues,
  type Query,
} from '@inlay/query';
import type { Caller } from '../access/caller.ts';
import { featureOffAt, hasFeature } from '../access/features.ts';
import {
  queriesIn,
  takeReferences,
  withQueries,
  type ItemReference,
} from '../dashboards/stored-items/item-references.ts';
import { testsOf } from '../dashboards/stored-items/derive.ts';
import { isFilledByItem, type DerivedQuery, OpenItems } from '../dashboards/stored-items/open-items.ts';
import type { QueryParameters } from '../dashboards/stored-items/parameter-offers.ts';
import type { Right } from '../declare/roles.ts';
import type { QueuePlace } from './admission.ts';
import { Problem } from '../problems/problem.ts';
import type { CallContext } from '../tracing/call-context.ts';
import { traceOfQuery, type RequestTrace } from '../tracing/trace.ts';
import type { StoredAccount, TokenTerms } from './model/parts.ts';
import { withFormulaDatasets } from './model/settled-formulas.ts';
import type { QueryRequest, QueryService } from './query-request.ts';
import { loadAccess, rowAccess } from './row-access.ts';
import { createKnownDatasets } from './row-filters/known-datasets.ts';
import { createTermsCache } from './row-filters/load-terms.ts';
import { takeParameters } from './row-filters/requested-parameters.ts';
import { parameterValues } from './row-filters/row-filters.ts';

const measuresOf = ({ measures, having, order }: Query): readonly (Measure | null)[] => [
  ...measures,
  ...having.flatMap(testsOf).map(({ measure }) => measure),
  ...order.map(({ measure }) => measure),
];

/**
 * Returns a feature that a free query needs and the caller lacks; null if there is none. A free query may group and
 * filter as it likes. specification/rights#features
 */
function missingForFree(caller: Caller, query: Query): Feature | null {
  const needed: readonly Feature[] = measuresOf(query).some((measure) => measure?.kind === 'expression')
    ? ['edit_filters', 'drill', 'formulas']
    : ['edit_filters', 'drill'];
  return needed.find((feature) => !hasFeature(caller, feature)) ?? null;
}

/**
 * True if a caller with the right *use* on the datasets of a query may ask it as it likes. Otherwise the caller asks only
 * what stored items ask, as one with *read*.
 */
export const mayAskFreely = (caller: Caller, query: Query): boolean => missingForFree(caller, query) === null;

/** A query with everything that is known about its caller. */
export interface AnswerableQuery {
  readonly query: Query;
  readonly asking: QueryRequest;
  /** Reduces the result to the rows that a reader may see; null if a reader may see all rows. */
  readonly shown: DerivedQuery['shown'];
}

/** The queries of a `find`, separated from references to items and from parameter values. */
interface SentQueries {
  readonly find: Json;
  readonly itemOf: (index: number) => ItemReference | null;
  readonly parametersOf: (index: number) => QueryParameters;
  readonly faults: readonly Fault[];
}

/** Reads a `find`. Parameter values of the token take precedence over those of queries. */
function readQueries(find: Json, token: ParameterValues): SentQueries {
  const parameters = takeParameters(find, token);
  const references = takeReferences(parameters.find);
  return {
    find: references.find,
    itemOf: (index) => references.items[index] ?? null,
    parametersOf: parameters.of,
    faults: [...parameters.faults, ...references.faults],
  };
}

/**
 * Queries that were completed from their stored items. `problems` has the problem of each query that could not be
 * completed, by the index of the query.
 */
interface FilledQueries {
  readonly find: Json;
  readonly problems: ReadonlyMap<number, Problem>;
}

async function fillQueries(items: OpenItems, { find, itemOf }: SentQueries): Promise<FilledQueries> {
  const problems = new Map<number, Problem>();
  const fill = (query: JsonObject, reference: ItemReference, index: number): Promise<JsonObject> =>
    items.filled(query, reference).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      problems.set(index, error);
      return query;
    });
  const queries = await Promise.all(
    queriesIn(find).map(async (query, index) => {
      const reference = itemOf(index);
      return reference !== null && isObject(query) && isFilledByItem(query) ? fill(query, reference, index) : query;
    }),
  );
  return { find: withQueries(find, queries), problems };
}

/**
 * Parses the completed queries. If a query could not be completed from its item, only the problem of the item is
 * reported, not the faults of the incomplete query.
 */
function parseFilled({ itemOf, parametersOf, faults }: SentQueries, { find, problems }: FilledQueries): ParsedQueries {
  const parsedQueries = parseQueries(find, (index) => parametersOf(index).values);
  const unfilledPlaces = new Set([...problems.keys()].map((index) => itemOf(index)?.at));
  return { ...parsedQueries, faults: [...faults, ...parsedQueries.faults.filter(({ at }) => !unfilledPlaces.has(at))] };
}

/** Returns the request of a query with the filters of the query's item. */
const ofItem = (request: QueryRequest, itemId: string | null, trace: RequestTrace): QueryRequest => ({
  ...request,
  trace,
  narrowing: { ...request.narrowing, itemId },
  with: async (furtherIds) => ofItem(await request.with(furtherIds), itemId, trace),
});

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

function placeAtSource(
  connectors: QueryService['connectors'],
  { caller, terms }: QueryRequest,
  { id, record }: StoredAccount,
): QueuePlace {
  if (connectors(textOr(record['provider'], ''))?.kind === 'files') return 'engine';
  // A token may replace the connection of an account.
  const isReplaced = Object.keys(terms.overrides).some((name) => name.toLowerCase() === id);
  return isReplaced ? `source ${id} ${caller.authorizationId}` : `source ${id}`;
}

/** Returns where a query is expected to run: in the engine, or at the source of its first dataset that is not stored. */
export function expectedPlace(connectors: QueryService['connectors'], request: QueryRequest, query: Query): QueuePlace {
  for (const id of datasetsOf(query)) {
    const dataset = request.datasets.get(id);
    if (dataset !== undefined && dataset.dataVersion === null && dataset.account !== null)
      return placeAtSource(connectors, request, dataset.account);
  }
  return 'engine';
}

/** What a request for rows is loaded for: the caller with the settings of its token, and the context of the call. */
interface RequestOwner {
  readonly service: QueryService;
  readonly known: ReturnType<typeof createKnownDatasets>;
  readonly caller: Caller;
  readonly context: CallContext;
  readonly terms: TokenTerms;
}

/**
 * Loads rights, filters and models for datasets, of which `further` are not named by a query. Raises Problem
 * `row_filter_invalid`.
 */
async function loadRequest(
  owner: RequestOwner,
  namedIds: readonly string[],
  right: Right,
  further: readonly string[] = [],
): Promise<QueryRequest> {
  const { service, known, caller, context, terms } = owner;
  const { reader, models } = service;
  const { signal, deadlineMs, trace } = context;
  const ids = [...new Set([...namedIds, ...further])];
  const access = await loadAccess({ reader, models, known }, caller, terms, ids, right);
  context.onAccess?.(rowAccess(caller, terms, access, ids, right));
  return {
    ...access,
    keys: new Map(),
    caller,
    terms,
    right,
    further,
    signal,
    deadlineMs,
    trace,
    parameters: parameterValues(terms.parameters),
    with: (furtherIds) => loadRequest(owner, namedIds, right, furtherIds),
  };
}

/** Queries whose rights, filters and models have been loaded. */
export class AuthorizedQueries {
  readonly #parsed: ParsedQueries;
  readonly #sent: SentQueries;
  /** The request with the right *use*, and the same request with the right *read*, for queries of stored items. */
  readonly #requests: { readonly use: QueryRequest; readonly read: QueryRequest };
  /** By query index: the query restricted to its item, or why it is refused. */
  readonly #derived: ReadonlyMap<number, DerivedQuery | Problem>;
  readonly #connectors: QueryService['connectors'];

  constructor(
    parsed: ParsedQueries,
    sent: SentQueries,
    requests: { readonly use: QueryRequest; readonly read: QueryRequest },
    derivedQueries: ReadonlyMap<number, DerivedQuery | Problem>,
    connectors: QueryService['connectors'],
  ) {
    this.#connectors = connectors;
    this.#parsed = parsed;
    this.#sent = sent;
    this.#requests = requests;
    this.#derived = derivedQueries;
  }

  /** Returns where a query is expected to run: in the engine, or at the source of its first dataset that is not stored. */
  place(index: number): QueuePlace {
    const derivedQuery = this.#derived.get(index);
    if (derivedQuery instanceof Problem) return 'engine';
    const query = derivedQuery?.query ?? this.#parsed.queries[index];
    const request = derivedQuery === undefined ? this.#requests.use : this.#requests.read;
    return query === undefined ? 'engine' : expectedPlace(this.#connectors, request, query);
  }

  /** Returns a query by index. Raises Problem if it is refused. */
  query(index: number): AnswerableQuery {
    const derivedQuery = this.#derived.get(index);
    if (derivedQuery instanceof Problem) throw derivedQuery;
    const query = derivedQuery?.query ?? this.#parsed.queries[index];
    if (query === undefined) throw new Problem('query_invalid');
    const request = derivedQuery === undefined ? this.#requests.use : this.#requests.read;
    const reference = this.#sent.itemOf(index);
    const trace = traceOfQuery(request.trace);
    if (reference !== null) {
      trace.concerns.note('dashboard', reference.dashboardId);
      trace.concerns.note('item', reference.itemId);
    }
    for (const id of datasetsOf(query)) trace.concerns.note('dataset', id);
    return { query, asking: ofItem(request, reference?.itemId ?? null, trace), shown: derivedQuery?.shown ?? null };
  }
}

interface RequestParts extends RequestOwner {
  readonly items: OpenItems;
  readonly sent: SentQueries;
  /** By query index: why the query could not be completed from its item. */
  readonly problems: ReadonlyMap<number, Problem>;
}

/** The parsed queries of a request, with their faults. */
export class RequestedQueries {
  readonly parsed: ParsedQueries;
  readonly #parts: RequestParts;
  constructor(parsed: ParsedQueries, parts: RequestParts) {
    this.parsed = parsed;
    this.#parts = parts;
  }

  /** Loads rights, filters and models for all datasets that the queries use. Raises Problem. */
  async authorize(): Promise<AuthorizedQueries> {
    const { queries } = this.parsed;
    const use = await this.#request(queries, 'use');
    const derivedQueries = await this.#derive(use);
    const ofItems = [...derivedQueries.values()].flatMap((entry) => (entry instanceof Problem ? [] : [entry.query]));
    const readRequest = ofItems.length === 0 ? use : await this.#request(ofItems, 'read');
    const { sent, service } = this.#parts;
    return new AuthorizedQueries(this.parsed, sent, { use, read: readRequest }, derivedQueries, service.connectors);
  }

  /** If the caller does not have the right *use* for a query, restricts the query to what its item allows. */
  async #derive({ datasets }: QueryRequest): Promise<ReadonlyMap<number, DerivedQuery | Problem>> {
    const { items, sent, problems, caller } = this.#parts;
    const derivedQueries = new Map<number, DerivedQuery | Problem>(problems);
    for (const [index, query] of this.parsed.queries.entries()) {
      if (derivedQueries.has(index)) continue;
      const reference = sent.itemOf(index);
      const mayUse = datasetsOf(query).every((id) => datasets.has(id));
      const missing = missingForFree(caller, query);
      if (reference === null) {
        if (mayUse && missing !== null) derivedQueries.set(index, featureOffAt(missing, this.#placeOf(index)));
        continue;
      }
      if (mayUse && missing === null && hasFeature(caller, 'view')) continue;
      derivedQueries.set(index, await items.derived(query, reference, sent.parametersOf(index)).catch(problemOf));
    }
    return derivedQueries;
  }

  #placeOf(index: number): string {
    return this.parsed.batch ? `find.queries[${index}]` : 'find';
  }

  #request(queries: readonly Query[], right: Right): Promise<QueryRequest> {
    return loadRequest(this.#parts, queries.flatMap(datasetsOf), right);
  }
}

/** Reads the queries of callers. Parameters and filters of a caller's token apply to each query. */
export class QueryReader {
  readonly #service: QueryService;
  readonly #termsOf: ReturnType<typeof createTermsCache>;
  readonly #known = createKnownDatasets();

  constructor(service: QueryService) {
    this.#service = service;
    this.#termsOf = createTermsCache(service.open);
  }

  /** Loads what queries over datasets need, with a right on them. Raises Problem `row_filter_invalid`. */
  async request(
    caller: Caller,
    datasetIds: readonly string[],
    right: Right,
    context: CallContext,
  ): Promise<QueryRequest> {
    const service = this.#service;
    const terms = await this.#termsOf(service.reader, caller);
    return loadRequest({ service, known: this.#known, caller, context, terms }, datasetIds, right);
  }

  async read(caller: Caller, find: Json, context: CallContext): Promise<RequestedQueries> {
    const service = this.#service;
    const terms = await this.#termsOf(service.reader, caller);
    const sentQueries = readQueries(find, parameterValues(terms.parameters));
    const items = new OpenItems(service, caller);
    const filledQueries = await fillQueries(items, sentQueries);
    const parsedQueries = parseFilled(sentQueries, filledQueries);
    const queries = await withFormulaDatasets(service, caller, parsedQueries.queries);
    const { problems } = filledQueries;
    return new RequestedQueries(
      { ...parsedQueries, queries },
      {
        service,
        known: this.#known,
        caller,
        context,
        terms,
        items,
        sent: sentQueries,
        problems,
      },
    );
  }
}
