import type { JsonObject } from '@inlay/contract';
import type { Model } from '../model.ts';
import { parseQueries } from '../parse.ts';
import { plan, type QueryContext } from '../plan.ts';
import { QueryProblem, type QueryProblemCode } from '../problem.ts';

/** What is wrong with a query before any row is read. */
export interface QueryFault {
  /** Place in the query, such as `where[0].parameters[1]`. */
  readonly at: string;
  readonly code: QueryProblemCode | null;
  readonly says: string;
}

/** What only a whole query shows: a formula may meet other datasets through links that are not read here. */
const unsure: readonly (QueryProblemCode | null)[] = ['join_missing', 'unsupported'];

/** What a query over a model is refused for; null where it is answered. */
export function faultOfQuery(query: JsonObject, model: Model, nowMs: number): QueryFault | null {
  const { queries, faults } = parseQueries(query);
  const [fault] = faults;
  if (fault !== undefined) return { at: fault.at.replace(/^find\.?/u, ''), code: null, says: fault.says };
  const context: QueryContext = {
    nowMs,
    timeZone: 'UTC',
    weekstart: 1,
    locale: 'en',
    rowLimit: 1,
    rowFilters: new Map(),
  };
  try {
    for (const one of queries) plan(one, model, context);
    return null;
  } catch (error) {
    if (!(error instanceof QueryProblem)) throw error;
    return unsure.includes(error.code) ? null : { at: error.at, code: error.code, says: error.message };
  }
}
