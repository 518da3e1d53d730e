import { lineRows, shape } from '@inlay/query';
import type { FilesConnector, SourceRows } from '../../connectors/connector.ts';
import type { EngineAnswer, EngineTable } from '../../engine/engine.ts';
import { SourceProblem } from '../../connectors/problem.ts';
import { Problem } from '../../problems/problem.ts';
import { inTurns } from '../../concurrency/turns.ts';
import type { Span } from '../../tracing/trace.ts';
import { placeLabel, type ClusterChoice, type EngineChoice, type Fetch, type SourceChoice } from '../choose.ts';
import { outcomeOf } from '../problems.ts';
import { rowsAtSource, sourceTexts } from './at-source.ts';
import { readPlan } from './query-plan.ts';
import type { QueryTask, RunningQuery } from './query-task.ts';
import type { Runners } from './runners.ts';
import type { ResolvedAccount } from '../resolve-account.ts';

const encoder = new TextEncoder();

/** Runs a query at its source, or at the cluster. */
async function push(
  runners: Runners,
  choice: SourceChoice | ClusterChoice,
  { locale, lines, limits, sources, trace }: QueryTask,
  signal: AbortSignal,
): Promise<RunningQuery> {
  const startedMs = performance.now();
  const { source, statement } = choice;
  const { resolved, connector } = source;
  const sentStatement = { ...statement, texts: sourceTexts(sources.values()) };
  const answer = await rowsAtSource(runners, resolved, trace, (params) =>
    connector.run(params, sentStatement, limits, signal),
  );
  const { queuedMs = 0 } = answer;
  const summary = { rows: 0, queryMs: performance.now() - startedMs - queuedMs };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    // Measures the time until a batch arrives, not the time that the consumer takes.
    let sinceMs = performance.now();
    for await (const batch of inTurns(answer.rows, runners.turn)) {
      summary.queryMs += performance.now() - sinceMs;
      sinceMs = performance.now();
      if (batch.length === 0) continue;
      const { columns } = statement;
      const comma = lines === null && summary.rows > 0 ? ',' : '';
      yield encoder.encode(comma + (lines === null ? shape(batch, columns, locale) : lineRows(batch, columns, lines)));
      summary.rows += batch.length;
      sinceMs = performance.now();
    }
    summary.queryMs += performance.now() - sinceMs;
  }
  return {
    place: placeLabel(choice),
    chunks: chunks(),
    summary: async () => {
      const queryId = answer.queryId?.() ?? null;
      return { ...summary, truncated: answer.truncated(), queuedMs, ...(queryId !== null && { queryId }) };
    },
  };
}

/** Fetches the rows of a dataset for the engine. Fails if a limit would truncate the rows. */
async function fetchTable(
  runners: Runners,
  fetch: Fetch,
  { limits, trace }: QueryTask,
  signal: AbortSignal,
): Promise<EngineTable> {
  const fetchLimits = { ...limits, rowLimit: runners.fetchRows, byteLimit: runners.fetchBytes };
  const answer = await rowsAtSource(runners, fetch.source.resolved, trace, async (params) => {
    if (!('statement' in fetch)) return fetch.source.connector.fetch(params, fetch.request, fetchLimits, signal);
    const { statement, source, columns } = fetch;
    const sentStatement = { ...statement, texts: sourceTexts([source]) };
    return { ...(await source.connector.run(params, sentStatement, fetchLimits, signal)), columns };
  });
  async function* rows(): AsyncGenerator<SourceRows> {
    yield* inTurns(answer.rows, runners.turn);
    if (answer.truncated()) throw new Problem('query_too_large');
  }
  return { name: fetch.datasetId, source: { kind: 'rows', columns: answer.columns, rows: rows() } };
}

/** Returns a custom query as a table. The query may use all files of its source. */
async function textOver(
  connector: FilesConnector,
  { params }: ResolvedAccount,
  sql: string,
  signal: AbortSignal,
): Promise<EngineTable['source']> {
  const tables = await connector.tables(params, signal);
  const namedSources = tables.map(async ({ id }) => ({ name: id, source: await connector.source(params, id) }));
  return { kind: 'text', sql, tables: await Promise.all(namedSources) };
}

async function tablesOf(
  runners: Runners,
  task: QueryTask,
  { fetches, rolledUp }: EngineChoice,
  signal: AbortSignal,
): Promise<readonly EngineTable[]> {
  const {
    caller: { organizationId },
    sources,
  } = task;
  const tables = [...sources].map(async ([name, source]): Promise<readonly EngineTable[]> => {
    if (source.kind === 'version')
      return [
        {
          name,
          source: { kind: 'file', path: runners.engine.versionPath(organizationId, source.folder, source.version) },
        },
      ];
    if (source.kind === 'sql' || source.kind === 'plugin') return [];
    const { of, connector, resolved } = source;
    if ('query' in of) return [{ name, source: await textOver(connector, resolved, of.query, signal) }];
    return [{ name, source: await connector.source(resolved.params, of.table) }];
  });
  const rollups = (rolledUp?.uses ?? []).flatMap(({ relation, datasetId, rollupId }): readonly EngineTable[] => {
    const source = sources.get(datasetId);
    if (source?.kind !== 'version') return [];
    const path = runners.engine.versionPath(organizationId, source.folder, source.version);
    return [{ name: relation, source: { kind: 'file', path, rollup: rollupId } }];
  });
  const fetchedTables = fetches.map(async (fetch) => [await fetchTable(runners, fetch, task, signal)]);
  return [...(await Promise.all([...tables, ...fetchedTables])).flat(), ...rollups];
}

/** Runs a query in the engine, over stored rows and fetched rows. */
async function compute(
  runners: Runners,
  task: QueryTask,
  choice: EngineChoice,
  signal: AbortSignal,
): Promise<RunningQuery> {
  const { caller, limits, trace } = task;
  const tables = await tablesOf(runners, task, choice, signal);
  const { sql, params } = choice.statement;
  const job = { tenant: caller.organizationId, caller, tables, sql, params, ...limits };
  const { engine } = runners;
  const askedMs = performance.now();
  const engineAnswer = async (): Promise<EngineAnswer> => {
    try {
      return await (task.lines === null ? engine.query(job, signal) : engine.exportRows(job, signal));
    } catch (error) {
      trace.span.begin('engine', {}, askedMs).end({ problem: outcomeOf(error) });
      throw error;
    }
  };
  const answer = await engineAnswer();
  traceAnswer(trace.span, askedMs, answer);
  return { place: placeLabel(choice), chunks: answer.chunks, summary: () => answer.summary };
}

/** Runs a query in the engine. If one source fails, aborts the requests to the others: their rows are not needed. */
async function computeOrAbort(
  runners: Runners,
  task: QueryTask,
  choice: EngineChoice,
  signal: AbortSignal,
): Promise<RunningQuery> {
  const failureController = new AbortController();
  try {
    return await compute(runners, task, choice, AbortSignal.any([signal, failureController.signal]));
  } catch (error) {
    failureController.abort();
    throw error;
  }
}

/** Share of the time limit within which the cluster must answer, so that the engine can still answer in its place. */
const clusterShare = 0.5;

/** Runs a query at the cluster, and in the engine if the cluster fails before the first rows. */
async function computeOnCluster(
  runners: Runners,
  task: QueryTask,
  choice: ClusterChoice,
  signal: AbortSignal,
): Promise<RunningQuery> {
  const { limits } = task;
  const startedMs = performance.now();
  const within = (deadlineMs: number): QueryTask => ({
    ...task,
    limits: { ...limits, deadlineMs: Math.max(1, Math.floor(deadlineMs)) },
  });
  const count = (outcome: string): void => runners.recorder.count('inlay_cluster_queries_total', { outcome });
  try {
    const answer = await push(runners, choice, within(limits.deadlineMs * clusterShare), signal);
    count('ok');
    return answer;
  } catch (error) {
    if (!(error instanceof SourceProblem) || signal.aborted) throw error;
    count(error.cause);
    const leftMs = limits.deadlineMs - (performance.now() - startedMs);
    return computeOrAbort(runners, within(leftMs), choice.inEngine(), signal);
  }
}

/** Records how long a statement waited for the engine and ran, when the answer is complete. */
function traceAnswer(span: Span, askedMs: number, { summary }: EngineAnswer): void {
  void summary.then(
    ({ rows, queuedMs }) => {
      const startedMs = askedMs + queuedMs;
      span.begin('queue', {}, askedMs).end({}, startedMs);
      span.begin('engine', {}, startedMs).end({ rows });
    },
    (error: unknown) => span.begin('engine', {}, askedMs).end({ problem: outcomeOf(error) }),
  );
}

/**
 * Runs a query that has been decided. Resolves with the first rows, so that immediate errors are raised here. Raises
 * SourceProblem and EngineProblem. Throws the signal's reason if it aborts.
 */
export const run = (runners: Runners, task: QueryTask, signal: AbortSignal): Promise<RunningQuery> =>
  runners.slowQueries.watch(
    task,
    () => runChoice(runners, task, signal),
    () => readPlan(runners, task, (choice, planSignal) => tablesOf(runners, task, choice, planSignal)),
  );

function runChoice(runners: Runners, task: QueryTask, signal: AbortSignal): Promise<RunningQuery> {
  const { choice } = task;
  switch (choice.place) {
    case 'source':
      return push(runners, choice, task, signal);
    case 'cluster':
      return computeOnCluster(runners, task, choice, signal);
    case 'engine':
      return computeOrAbort(runners, task, choice, signal);
  }
}
