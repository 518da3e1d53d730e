import { QueryProblem } from '@inlay/query';
import { SourceProblem, type SourceCause } from '../connectors/problem.ts';
import { EngineProblem, type EngineCause } from '../engine/engine.ts';
import type { ProblemCode } from '../problems/catalogue.ts';
import { NoFreePlace, Problem } from '../problems/problem.ts';

const ofSource = {
  settings: 'source_refused',
  unknown_host: 'source_failed',
  refused: 'source_failed',
  forbidden_address: 'source_failed',
  tls: 'source_failed',
  credentials: 'source_failed',
  grant: 'source_failed',
  timeout: 'source_timeout',
  missing: 'source_failed',
  query: 'source_refused',
  limit: 'source_busy',
  busy: 'source_busy',
  unavailable: 'source_busy',
  aborted: 'client_gone',
  failed: 'source_failed',
} as const satisfies Readonly<Record<SourceCause, ProblemCode>>;

const ofEngine = {
  failed: 'engine_failed',
  deadline: 'deadline_passed',
  memory: 'engine_memory',
  busy: 'overloaded',
  sql: 'query_failed',
  forbidden_sql: 'source_refused',
  input: 'query_failed',
  missing: 'rows_missing',
  damaged: 'rows_damaged',
  disk: 'disk_full',
  unwritable: 'disk_unwritable',
  quota: 'quota_exceeded',
} as const satisfies Readonly<Record<EngineCause, ProblemCode>>;

const busyRetryAfterS = 2;
const waits = (code: ProblemCode): { readonly retryAfterS?: number } =>
  code === 'source_busy'
    ? { retryAfterS: busyRetryAfterS }
    : code === 'disk_full' || code === 'disk_unwritable'
      ? { retryAfterS: 60 }
      : {};

/** Converts a failure at a source to a Problem with the same message. */
export const sourceProblem = ({ cause, message }: SourceProblem): Problem =>
  new Problem(ofSource[cause], { message, ...waits(ofSource[cause]) });

/** Converts a failure of the engine to a Problem. */
export function engineProblem({ cause, detail }: EngineProblem): Problem {
  if (cause === 'busy') return new NoFreePlace({ retryAfterS: busyRetryAfterS });
  return new Problem(ofEngine[cause], {
    ...(cause === 'input' && detail !== undefined ? { message: `The rows cannot be read: ${detail}.` } : {}),
    ...waits(ofEngine[cause]),
  });
}

/**
 * Creates the Problem for a query that does not fit the columns of its datasets. `where` is the path of the query, such
 * as `find.queries[1]`.
 */
export function queryProblem({ code, at, message }: QueryProblem, where: string): Problem {
  if (code === 'row_filter_invalid') return new Problem('row_filter_invalid');
  const problemCode = code === 'column_unknown' || code === 'dataset_unknown' ? code : 'query_unanswerable';
  return new Problem(problemCode, { validation: { [at === '' ? where : `${where}.${at}`]: [message] } });
}

/** Returns the outcome of an error for logs and metrics: the code of its Problem, or `aborted`. */
export function outcomeOf(error: unknown): string {
  const problem = toProblem(error, '');
  return problem instanceof Problem ? problem.data.code : 'aborted';
}

/** Converts an error of a query, a source or the engine to a Problem; returns other errors unchanged. */
export function toProblem(error: unknown, at: string): unknown {
  if (error instanceof QueryProblem) return queryProblem(error, at);
  if (error instanceof SourceProblem) return sourceProblem(error);
  if (error instanceof EngineProblem) return engineProblem(error);
  return error;
}
