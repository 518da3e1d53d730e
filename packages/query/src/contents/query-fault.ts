import type { JsonObject } from '@inlay/contract';
import type { Model } from '../model.ts';
import { parseQueries } from '../parse.ts';
import { plan, type QueryContext } from '../plan.ts';
import { QueryProblem, type QueryProblemCode } from '../problem.ts';

/** The fault of a query at plan time. */
export interface QueryFault {
  /** Path of the fault in the query, such as `where[0].parameters[1]`. */
  readonly at: string;
  readonly code: QueryProblemCode | null;
  readonly message: string;
}

/** Codes that need the whole query: a formula may reach other datasets through links that are not loaded here. */
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
