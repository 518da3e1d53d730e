import type { JsonObject } from '@inlay/contract';
import type { Model } from '../model.ts';
import { parseQueries } from '../parse.ts';
import { plan, type QueryContext } from '../plan.ts';
import { QueryProblem, type QueryProblemCode } from '../problem.ts';

/** Why a query cannot be parsed or planned. */
export interface QueryFault {
  /** Path of the fault in the query, such as `where[0].parameters[1]`. */
  readonly at: string;
  readonly code: QueryProblemCode | null;
  readonly message: string;
}

/**
 * Codes of faults that are not reported. The complete query may be valid, because links to further datasets are not
 * loaded here.
 */
const unsure: readonly (QueryProblemCode | null)[] = ['join_missing', 'unsupported'];

/** Returns the fault of a query over a model; null if it can be planned. */
export function faultOfQuery(query: JsonObject, model: Model, nowMs: number): QueryFault | null {
  const { queries, faults } = parseQueries(query);
  const [fault] = faults;
  if (fault !== undefined) return { at: fault.at.replace(/^find\.?/u, ''), code: null, message: fault.message };
  const context: QueryContext = {
    nowMs,
    timeZone: 'UTC',
    weekstart: 1,
    locale: 'en',
    rowLimit: 1,
    rowFilters: new Map(),
  };
  try {
    for (const entry of queries) plan(entry, model, context);
    return null;
  } catch (error) {
    if (!(error instanceof QueryProblem)) throw error;
    return unsure.includes(error.code) ? null : { at: error.at, code: error.code, message: error.message };
  }
}
