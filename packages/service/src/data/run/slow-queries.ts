import { engineLexis, type Lexis } from '../../connectors/query/pieces.ts';
import { withoutValues } from '../../connectors/query/without-values.ts';
import { outcomeOf } from '../problems.ts';
import { placeLabel, type Choice, type PlaceLabel, type Fetch, type SqlSource } from '../choose.ts';
import { providerLabel } from './at-source.ts';
import type { QueryTask, RunningQuery } from './query-task.ts';

/** Dependencies of the slow query log. */
export interface SlowQueryOptions {
  /** Duration in ms, including the wait, from which a query counts as slow. */
  readonly thresholdMs: number;
  /** True if the plans of slow queries are logged too. */
  readonly plans: boolean;
  readonly log: (line: object) => void;
}

/** Reads the plan steps of a query. */
type ReadPlan = () => Promise<readonly string[]>;

/** How a query ended. */
interface QueryEnd {
  readonly ms: number;
  readonly outcome: string;
  /** Where the query ran; missing if it failed. */
  readonly place?: PlaceLabel;
  readonly queuedMs?: number;
  readonly rows?: number;
  readonly truncated?: boolean;
  readonly queryId?: string;
}

/** Maximum length of a statement in the log; a longer statement is truncated. */
const maxCharacters = 10_000;

const shortSql = (sql: string | null): string | null =>
  sql !== null && sql.length > maxCharacters ? `${sql.slice(0, maxCharacters)}…` : sql;

const providerOf = (choice: Choice): string | null =>
  choice.place === 'engine' ? null : providerLabel(choice.source.resolved);

const lexisOf = ({ connector }: SqlSource): Lexis => connector.traits.queryRules.lexis;

/** Returns the statement with all values masked; null if this is not possible reliably. */
const statementOf = (choice: Choice): string | null =>
  withoutValues(choice.statement.sql, choice.place === 'engine' ? engineLexis : lexisOf(choice.source));

const fetchLine = (fetch: Fetch): object => ({
  dataset: fetch.datasetId,
  provider: providerLabel(fetch.source.resolved),
  ...('statement' in fetch ? { statement: shortSql(withoutValues(fetch.statement.sql, lexisOf(fetch.source))) } : {}),
});

const roundedMs = (ms: number): number => Math.round(ms * 100) / 100;

/** Logs slow queries: the ids of the records involved, where the query ran, and its statement with masked values. */
export class SlowQueries {
  readonly #options: SlowQueryOptions;
  #isPlanning = false;

  constructor(options: SlowQueryOptions) {
    this.#options = options;
  }

  /** Runs a query and logs it if it was slow. */
  async watch(task: QueryTask, run: () => Promise<RunningQuery>, plan: ReadPlan): Promise<RunningQuery> {
    const startedMs = performance.now();
    const recordEnd = once((end: QueryEnd) => this.#end(task, end, plan));
    const recordFailure = (error: unknown): void =>
      recordEnd({ ms: performance.now() - startedMs, outcome: outcomeOf(error) });
    try {
      const running = await run();
      return { ...running, chunks: watched(running, recordEnd, recordFailure) };
    } catch (error) {
      recordFailure(error);
      throw error;
    }
  }

  #end(task: QueryTask, end: QueryEnd, plan: ReadPlan): void {
    const { thresholdMs, plans } = this.#options;
    if (end.ms < thresholdMs) return;
    // Reads only one plan at a time, since reading plans would make slow queries even slower.
    if (!plans || this.#isPlanning) return this.#log(task, end, {});
    this.#isPlanning = true;
    void plan()
      .then((steps) => this.#log(task, end, { plan: steps }))
      .catch((error: unknown) => this.#log(task, end, { plan_failed: outcomeOf(error) }))
      .finally(() => {
        this.#isPlanning = false;
      });
  }

  #log(
    { choice, copyMiss, trace }: QueryTask,
    { ms, outcome, place = placeLabel(choice), queuedMs, rows, truncated, queryId }: QueryEnd,
    more: object,
  ): void {
    const provider = providerOf(choice);
    const { traceId } = trace.span;
    this.#options.log({
      request_id: trace.requestId,
      ...(traceId === null ? {} : { trace_id: traceId }),
      ...trace.concerns.ids(),
      source: place,
      ...(copyMiss === null ? {} : { copy_miss: copyMiss }),
      ...(provider === null ? {} : { provider }),
      ...(queryId === undefined ? {} : { source_query_id: queryId }),
      outcome,
      ms: roundedMs(ms),
      ...(queuedMs === undefined ? {} : { queued_ms: roundedMs(queuedMs) }),
      ...(rows === undefined ? {} : { rows, truncated }),
      statement: shortSql(statementOf(choice)),
      ...(choice.place === 'engine' && choice.fetches.length > 0 ? { fetched: choice.fetches.map(fetchLine) } : {}),
      ...more,
    });
  }
}

function once<Given>(work: (given: Given) => void): (given: Given) => void {
  let isDone = false;
  return (finish) => {
    if (isDone) return;
    isDone = true;
    work(finish);
  };
}

async function* watched(
  { chunks, summary, place }: RunningQuery,
  ended: (end: QueryEnd) => void,
  failed: (error: unknown) => void,
): RunningQuery['chunks'] extends AsyncIterable<infer Chunk> ? AsyncGenerator<Chunk> : never {
  try {
    yield* chunks;
    const { queuedMs, queryMs, ...facts } = await summary();
    ended({ ...facts, place, ms: queuedMs + queryMs, outcome: 'ok', queuedMs });
  } catch (error) {
    failed(error);
    throw error;
  } finally {
    // The consumer has stopped reading the result.
    failed(null);
  }
}
