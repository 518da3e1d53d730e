import { type Lines, type Query } from '@inlay/query';
import type { CachedRows } from './cache/cache.ts';
import { keepRows, type RowsKeeper } from './cache/keep-rows.ts';
import { decide, type QueryDecision } from './decide.ts';
import { overCurrentVersions } from './model/current-versions.ts';
import { withImpliedDatasets } from './model/implied-datasets.ts';
import { seenDatasets } from './model/load-datasets.ts';
import { toProblem } from './problems.ts';
import type { QuerySubjects } from './query-record.ts';
import { leftMs, type QueryRequest, type QueryService } from './query-request.ts';
import { isTooLarge, tooManyFetched } from './row-filters/send-keys.ts';
import type { QueryTask, RunningQuery } from './run/query-task.ts';
import { run } from './run/run.ts';

/** The rows of one query: either complete, or still being read. */
export type QueryResult =
  | {
      readonly kind: 'ready';
      readonly dataAsOf: string | null;
      readonly rows: CachedRows;
      /** False if the rows were being read for another caller at the same time. */
      readonly cached: boolean;
      readonly preparedMs: number;
    }
  | {
      readonly kind: 'running';
      readonly dataAsOf: string | null;
      readonly running: RunningQuery;
      readonly subjects: QuerySubjects;
      readonly preparedMs: number;
      /** Passes the rows to the cache and to other callers; null if the rows must not be shared. */
      readonly keeper: RowsKeeper | null;
    };

/** Runs one query, or takes its rows from the cache. Resolves with the first rows. Raises Problem. */
export async function runQuery(
  service: QueryService,
  request: QueryRequest,
  query: Query,
  at: string,
): Promise<QueryResult> {
  try {
    return await withImpliedDatasets(service, request, query, (wholeRequest) =>
      overCurrentVersions(service, wholeRequest, query, async (currentRequest) =>
        runPrepared(service, currentRequest, await prepare(service, currentRequest, query, at)),
      ),
    );
  } catch (error) {
    throw toProblem(error, at);
  }
}

/** What a caller kept of the rows of a query, or the rows with the key under which something of them can be kept. */
export type KeyedQuery<Kept> =
  | { readonly kind: 'kept'; readonly kept: Kept }
  | {
      readonly kind: 'result';
      readonly result: QueryResult;
      /** Equal only for callers who see the same rows; null if nothing may be kept. */
      readonly key: string | null;
      /** Until when it may be kept, in ms; infinite for rows that do not change. */
      readonly untilMs: number;
    };

/** Runs one query as `runQuery` does, unless `keptFor` has what was made of the same rows before. Raises Problem. */
export async function runKeyedQuery<Kept>(
  service: QueryService,
  request: QueryRequest,
  query: Query,
  at: string,
  keptFor: (key: string) => Kept | undefined,
): Promise<KeyedQuery<Kept>> {
  const keyed = async (currentRequest: QueryRequest): Promise<KeyedQuery<Kept>> => {
    const prepared = await prepare(service, currentRequest, query, at);
    const { key, decision } = prepared;
    const kept = key === null ? undefined : keptFor(key);
    if (kept !== undefined) return { kind: 'kept', kept };
    const untilMs = decision.keepMs === 0 ? Number.POSITIVE_INFINITY : service.now() + decision.keepMs;
    return { kind: 'result', key, untilMs, result: await runPrepared(service, currentRequest, prepared) };
  };
  try {
    return await withImpliedDatasets(service, request, query, (wholeRequest) =>
      overCurrentVersions(service, wholeRequest, query, keyed),
    );
  } catch (error) {
    throw toProblem(error, at);
  }
}

/**
 * Runs a query that has been decided. Raises Problem. If row filters need too many rows, the problem names the datasets
 * that they look up.
 */
async function runDecided(
  service: QueryService,
  { caller, signal }: QueryRequest,
  { fetchedFor }: QueryDecision,
  task: QueryTask,
): Promise<RunningQuery> {
  try {
    const running = await run(service, task, signal);
    service.rollupChecks.note(service, task);
    return running;
  } catch (error) {
    if (fetchedFor.length === 0 || !isTooLarge(error)) throw error;
    throw tooManyFetched(fetchedFor, await seenDatasets(service.reader, caller, fetchedFor), service.limits.keys);
  }
}

/** A query that has been decided, with its cache key; null if its rows must not be shared. */
interface PreparedQuery {
  readonly decision: QueryDecision;
  readonly key: string | null;
  readonly preparedMs: number;
}

async function prepare(service: QueryService, request: QueryRequest, query: Query, at: string): Promise<PreparedQuery> {
  const startedMs = performance.now();
  const decision = await decide(service, request, { query, at, rowLimit: service.limits.rows, lines: null });
  const key = decision.key?.() ?? null;
  return { decision, key, preparedMs: performance.now() - startedMs };
}

async function runPrepared(
  service: QueryService,
  request: QueryRequest,
  { decision, key, preparedMs }: PreparedQuery,
): Promise<QueryResult> {
  const { rows, bytes } = service.limits;
  const { keepMs, dataAsOf } = decision;
  const { cache, inFlight } = service;
  const cachedRows = key === null || keepMs === 0 ? undefined : cache.get(key, service.now());
  if (cachedRows !== undefined) return { kind: 'ready', dataAsOf, rows: cachedRows, cached: true, preparedMs };
  const sharedRows = key === null ? null : await inFlight.of(key, request.signal);
  if (sharedRows !== null) return { kind: 'ready', dataAsOf, rows: sharedRows, cached: false, preparedMs };
  const startsAtMs = service.now();
  const limits = { rowLimit: rows, byteLimit: bytes, deadlineMs: leftMs(request) };
  const task = { ...decision, caller: request.caller, lines: null, limits, trace: request.trace };
  const settle = key === null ? null : inFlight.begin(key, request.signal);
  const runningQuery = await runDecided(service, request, decision, task).catch((error: unknown) => {
    settle?.(null);
    throw error;
  });
  const untilMs = keepMs === 0 ? null : startsAtMs + keepMs;
  const keeper = key === null || settle === null ? null : keepRows(cache, key, untilMs, settle);
  return {
    kind: 'running',
    dataAsOf,
    running: runningQuery,
    subjects: decision.subjects,
    preparedMs,
    keeper,
  };
}

/**
 * Returns at most `maxRows` rows of one query, as lines of a file. Does not use the cache. Resolves with the first
 * lines. Raises Problem. Convert errors of `chunks` with `toProblem`.
 */
export async function exportQuery(
  service: QueryService,
  request: QueryRequest,
  query: Query,
  at: string,
  lines: Lines,
  maxRows: number,
): Promise<RunningQuery> {
  try {
    const exported = async (currentRequest: QueryRequest): Promise<RunningQuery> => {
      const decision = await decide(service, currentRequest, { query, at, lines, rowLimit: maxRows });
      const limits = { rowLimit: maxRows, byteLimit: Number.MAX_SAFE_INTEGER, deadlineMs: leftMs(currentRequest) };
      const task: QueryTask = {
        ...decision,
        caller: currentRequest.caller,
        lines,
        limits,
        trace: currentRequest.trace,
      };
      return runDecided(service, currentRequest, decision, task);
    };
    return await withImpliedDatasets(service, request, query, (wholeRequest) =>
      overCurrentVersions(service, wholeRequest, query, exported),
    );
  } catch (error) {
    throw toProblem(error, at);
  }
}
