import { isObject, type Json } from '@inlay/contract';
import { datasetsOf, parseQueries, type ParsedQueries, type Query } from '@inlay/query';
import type { Right } from '../declare/roles.ts';
import { Problem } from '../problems/problem.ts';
import type { Caller } from '../access/caller.ts';
import type { CallContext } from '../tracing/call-context.ts';
import type { QueryService, QueryRequest } from './answer.ts';
import { isFilledByItem, openItems, type DerivedQuery, type OpenItems } from '../dashboards/stored-items/open-items.ts';
import {
  queriesIn,
  takeReferences,
  withQueries,
  type WithoutReferences,
} from '../dashboards/stored-items/item-references.ts';
import { createKnownDatasets } from './row-filters/known-datasets.ts';
import { withFormulaDatasets } from './model/settled-formulas.ts';
import { traceOfQuery, type RequestTrace } from '../tracing/trace.ts';
import { loadAccess, rowAccess } from './row-access.ts';
import { createTermsCache } from './row-filters/load-terms.ts';
import { takeParameters } from './row-filters/requested-parameters.ts';
import { parameterValues } from './row-filters/row-filters.ts';

/** A query with what is known of its caller. */
export interface AnswerableQuery {
  readonly query: Query;
  readonly asking: QueryRequest;
  /** The rows that a reader sees, of all that the query answers; null for all of them. */
  readonly shown: DerivedQuery['shown'];
}

/** Queries as far as they could be read, with what is wrong with them, and what else must be known to answer them. */
export interface RequestedQueries {
  readonly parsed: ParsedQueries;
  /**
   * Reads the rights, filters and models of everything that the queries name. Gives each query by its place, which raises
   * Problem where it is not answered.
   */
  readonly askable: () => Promise<(index: number) => AnswerableQuery>;
}

/** Queries that leave what they ask to a stored item, with what it asks. Those that cannot be filled stay as they are. */
async function filledFrom(items: OpenItems, { find, items: references }: WithoutReferences) {
  const problems = new Map<number, Problem>();
  const queries = await Promise.all(
    queriesIn(find).map(async (query, index) => {
      const reference = references[index] ?? null;
      if (reference === null || !isObject(query) || !isFilledByItem(query)) return query;
      return items.filled(query, reference).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
        problems.set(index, error);
        return query;
      });
    }),
  );
  return { find: withQueries(find, queries), problems };
}

/** Reads queries for their caller: parameters and filters of the token apply to whatever is asked. */
export function createAsk(
  service: QueryService,
): (caller: Caller, find: Json, context: CallContext) => Promise<RequestedQueries> {
  const { reader, models } = service;
  const termsOf = createTermsCache(service.open);
  const known = createKnownDatasets();

  return async (caller, given, { signal, deadlineMs, trace, onAccess }) => {
    const terms = await termsOf(reader, caller);
    const parameters = parameterValues(terms.parameters);
    const requested = takeParameters(given, parameters);
    const taken = takeReferences(requested.find);
    const items = openItems(service, caller);
    const { find, problems } = await filledFrom(items, taken);
    const sent = parseQueries(find, (index) => requested.of(index).values);
    const read = { ...sent, queries: await withFormulaDatasets(service, caller, sent.queries) };
    const unfilled = new Set([...problems.keys()].map((index) => taken.items[index]?.at));
    // Why its item could not be read says more than that a query asks for nothing.
    const faults = read.faults.filter(({ at }) => !unfilled.has(at));
    const parsed = { ...read, faults: [...requested.faults, ...taken.faults, ...faults] };

    const askingOf = async (
      queries: readonly Query[],
      right: Right,
      further: readonly string[] = [],
    ): Promise<QueryRequest> => {
      const ids = [...new Set([...queries.flatMap(datasetsOf), ...further])];
      const access = await loadAccess({ reader, models, known }, caller, terms, ids, right);
      onAccess?.(rowAccess(caller, terms, access, ids, right));
      const again: QueryRequest['with'] = (more) => askingOf(queries, right, more);
      return { ...access, caller, terms, parameters, right, further, with: again, signal, deadlineMs, trace };
    };

    const askable = async (): Promise<(index: number) => AnswerableQuery> => {
      const free = await askingOf(parsed.queries, 'use');
      const derived = new Map<number, DerivedQuery | Problem>(problems);
      for (const [index, query] of parsed.queries.entries()) {
        const reference = taken.items[index] ?? null;
        const isFree = datasetsOf(query).every((id) => free.datasets.has(id));
        if (isFree || reference === null || derived.has(index)) continue;
        derived.set(index, await items.derived(query, reference, requested.of(index)).catch(problemOf));
      }
      const through = [...derived.values()].flatMap((one) => (one instanceof Problem ? [] : [one.query]));
      const asItems = through.length === 0 ? free : await askingOf(through, 'read');
      return (index) => {
        const item = derived.get(index);
        if (item instanceof Problem) throw item;
        const query = item?.query ?? parsed.queries[index];
        if (query === undefined) throw new Problem('query_invalid');
        const reference = taken.items[index] ?? null;
        const own = traceOfQuery(trace);
        if (reference !== null) {
          own.concerns.note('dashboard', reference.dashboardId);
          own.concerns.note('item', reference.itemId);
        }
        for (const id of datasetsOf(query)) own.concerns.note('dataset', id);
        const asking = ofItem(derived.has(index) ? asItems : free, reference?.itemId ?? null, own);
        return { query, asking, shown: item?.shown ?? null };
      };
    };
    return { parsed, askable };
  };
}

/** What was read for a request, for one query of it, which may be that of an item. */
const ofItem = (request: QueryRequest, itemId: string | null, trace: RequestTrace): QueryRequest => ({
  ...request,
  trace,
  narrowing: { ...request.narrowing, itemId },
  with: async (more) => ofItem(await request.with(more), itemId, trace),
});

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}
