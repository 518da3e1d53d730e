import { SourceProblem, type SourceCause } from '../problem.ts';
import { networkFailure } from '../session/network-failure.ts';

/** An error that the cluster reports for a statement. */
export class TrinoError extends Error {
  /** Name of the error, such as `COLUMN_NOT_FOUND`. */
  readonly errorName: string;
  /** One of `USER_ERROR`, `INTERNAL_ERROR`, `INSUFFICIENT_RESOURCES` and `EXTERNAL`. */
  readonly errorType: string;

  constructor(errorName: string, errorType: string, message: string) {
    super(message);
    this.name = 'TrinoError';
    this.errorName = errorName;
    this.errorType = errorType;
  }
}

/** Name of the error for a statement that the coordinator no longer knows, for example because it has restarted. */
export const forgotten = 'QUERY_FORGOTTEN';

/** Errors after which the same statement may succeed, since nodes that do not answer are left out by then. */
const passing: ReadonlySet<string> = new Set([
  forgotten,
  'NO_NODES_AVAILABLE',
  'PAGE_TRANSPORT_ERROR',
  'PAGE_TRANSPORT_TIMEOUT',
  'REMOTE_BUFFER_CLOSE_FAILED',
  'REMOTE_HOST_GONE',
  'REMOTE_TASK_ERROR',
  'REMOTE_TASK_FAILED',
  'REMOTE_TASK_MISMATCH',
  'SERVER_SHUTTING_DOWN',
  'TOO_MANY_REQUESTS_FAILED',
]);

/** True if the statement may succeed when it is sent again, because a node of the cluster has failed. */
export const mayPass = (error: unknown): boolean => error instanceof TrinoError && passing.has(error.errorName);

const lostNode = 'The cluster lost one of its nodes during the query, twice; try again soon.';
const asItIs = 'The query cannot be run as it is.';
const impossible = 'The query computes something impossible from a value of the data.';
const tooMuch = 'The query needs more than the cluster allows it.';
const tooMuchMemory = 'The query needs more memory than the cluster allows it.';
const tooLong = 'The cluster gave the query up because it took too long.';

/** Cause and message for each error by name. */
const names: Readonly<Record<string, readonly [SourceCause, string]>> = {
  PERMISSION_DENIED: ['grant', 'The user may not read this; grant it SELECT.'],
  CATALOG_NOT_FOUND: ['missing', 'There is no catalog of this name.'],
  SCHEMA_NOT_FOUND: ['missing', 'There is no schema of this name.'],
  TABLE_NOT_FOUND: ['missing', 'A table that is asked for does not exist.'],
  COLUMN_NOT_FOUND: ['missing', 'A column that is asked for does not exist.'],
  NOT_FOUND: ['missing', 'Something that is asked for does not exist.'],
  MISSING_CATALOG_NAME: ['missing', 'The connection has no catalog in which the table could be.'],
  MISSING_SCHEMA_NAME: ['missing', 'The connection has no schema in which the table could be.'],
  SYNTAX_ERROR: ['query', 'The query is not valid SQL.'],
  FUNCTION_NOT_FOUND: ['query', 'A function that the query calls does not exist.'],
  TYPE_MISMATCH: ['query', 'A value of the query does not have the type of its column.'],
  NOT_SUPPORTED: ['query', 'The cluster does not support what the query asks.'],
  DUPLICATE_COLUMN_NAME: ['query', 'The query gives two columns of the same name.'],
  DIVISION_BY_ZERO: ['query', impossible],
  INVALID_CAST_ARGUMENT: ['query', impossible],
  INVALID_FUNCTION_ARGUMENT: ['query', impossible],
  NUMERIC_VALUE_OUT_OF_RANGE: ['query', impossible],
  SUBQUERY_MULTIPLE_ROWS: ['query', impossible],
  PAGE_TOO_LARGE: ['query', 'The query gives a row that is larger than the cluster can send.'],
  QUERY_TEXT_TOO_LARGE: ['limit', 'The text of the query is longer than the cluster allows.'],
  QUERY_QUEUE_FULL: ['limit', 'Too many queries wait at the cluster already.'],
  QUERY_REJECTED: ['limit', 'The cluster accepts no further query of this user.'],
  EXCEEDED_GLOBAL_MEMORY_LIMIT: ['limit', tooMuchMemory],
  EXCEEDED_LOCAL_MEMORY_LIMIT: ['limit', tooMuchMemory],
  CLUSTER_OUT_OF_MEMORY: ['limit', tooMuchMemory],
  EXCEEDED_FUNCTION_MEMORY_LIMIT: ['limit', tooMuchMemory],
  EXCEEDED_TIME_LIMIT: ['timeout', tooLong],
  ABANDONED_QUERY: ['timeout', 'The cluster gave the query up because nobody read its rows.'],
  USER_CANCELED: ['aborted', 'The query was cancelled at the cluster.'],
  ADMINISTRATIVELY_KILLED: ['aborted', 'The query was ended by somebody who manages the cluster.'],
  ADMINISTRATIVELY_PREEMPTED: ['aborted', 'The query was ended for others at the cluster.'],
  SERVER_STARTING_UP: ['unavailable', 'The cluster is starting; try again soon.'],
};

/** Cause and message for errors whose name is not listed. */
const types: Readonly<Record<string, readonly [SourceCause, string]>> = {
  USER_ERROR: ['query', asItIs],
  INSUFFICIENT_RESOURCES: ['limit', tooMuch],
};

/** Translates any error of the client to a SourceProblem. */
export function trinoFailure(error: unknown): SourceProblem {
  if (error instanceof SourceProblem) return error;
  if (!(error instanceof TrinoError)) return networkFailure(error);
  if (mayPass(error)) return new SourceProblem('unavailable', lostNode);
  const failure = names[error.errorName] ?? types[error.errorType];
  if (failure !== undefined) return new SourceProblem(...failure);
  return new SourceProblem('failed', `The cluster could not run the query (error ${error.errorName}).`);
}

/** Like `trinoFailure`, but if the SQL of a custom query is at fault, quotes the message of the cluster. */
export function trinoQueryFailure(error: unknown): SourceProblem {
  const problem = trinoFailure(error);
  const isAboutText = error instanceof TrinoError && (problem.cause === 'query' || problem.cause === 'missing');
  return isAboutText
    ? new SourceProblem(problem.cause, `${problem.message} The cluster says: ${error.message.slice(0, 1000)}`)
    : problem;
}
