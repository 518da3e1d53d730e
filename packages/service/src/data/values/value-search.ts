import { Problem } from '../../problems/problem.ts';
import type { Caller } from '../../access/caller.ts';
import type { CallContext } from '../../tracing/call-context.ts';
import type { QueryService } from '../query-request.ts';
import { QueryReader } from '../requested-queries.ts';
import { createValueLookup, type FoundValue, type SearchableDataset } from './value-lookup.ts';

/** The values that were found for each text. */
export interface SearchedValues {
  readonly byText: ReadonlyMap<string, readonly FoundValue[]>;
  /** True if all text columns were searched completely. */
  readonly isComplete: boolean;
  /** True if a column could not be searched in time, or at all. */
  readonly hasFailed: boolean;
}

/**
 * Looks texts up for the caller of a request, with the rights, row filters and hidden columns of its queries.
 * `equalTexts` are found only where they equal a value.
 */
export type ValueSearch = (
  request: CallContext & { readonly caller: Caller },
  dataset: SearchableDataset,
  texts: readonly string[],
  equalTexts?: readonly string[],
) => Promise<SearchedValues>;

/** Creates the search. A search that a problem ends finds nothing, and is not complete. */
export function createValueSearch(service: QueryService): ValueSearch {
  const reader = new QueryReader(service);
  return async (request, dataset, texts, equalTexts = []) => {
    const [column] = dataset.columns;
    if (column === undefined || texts.length + equalTexts.length === 0)
      return { byText: new Map(), isComplete: true, hasFailed: false };
    try {
      // Features limit what callers send; this query is the service's own.
      const caller = { ...request.caller, features: null };
      const find = { dimensions: [{ dataset_id: dataset.id, column_id: column.id }] };
      const queries = await (await reader.read(caller, find, request)).authorize();
      const lookUp = createValueLookup(service, queries.query(0).asking, dataset);
      const { found, skipped, failed } = await lookUp(texts, request.signal, equalTexts);
      return { byText: found, isComplete: skipped.length === 0, hasFailed: failed.length > 0 };
    } catch (error) {
      request.signal.throwIfAborted();
      if (!(error instanceof Problem)) throw error;
      return { byText: new Map(), isComplete: false, hasFailed: true };
    }
  };
}
