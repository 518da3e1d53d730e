import { datasetsOf, type QueryContext, type Lines, type Model, type Query } from '@inlay/query';
import type { Json } from '@inlay/contract';
import { describeRole, securable, type Right } from '../declare/roles.ts';
import type { Caller } from '../access/caller.ts';
import { Problem } from '../problems/problem.ts';
import type { Observations } from '../observations/observations.ts';
import type { Registry } from '../resource/registry.ts';
import type { Reader } from '../store/store.ts';
import { traceWithin, within, type RequestTrace, type Span } from '../tracing/trace.ts';
import type { AnswerCache, CachedRows } from './cache/cache.ts';
import { choose, keyOf, type Choice, type Sources } from './choose.ts';
import { keepRows, type RowsKeeper, type RowsUnderWay } from './cache/keep-rows.ts';
import type { ColumnUses } from './column-use.ts';
import { overCurrentVersions } from './model/current-versions.ts';
import { overFurtherDatasets } from './model/further-datasets.ts';
import { seenDatasets } from './model/load-datasets.ts';
import type { AskDialects } from './dialects.ts';
import type { ModelCache } from './model/load-model.ts';
import type { LoadedDataset, RowBounds, TokenTerms } from './model/parts.ts';
import type { ProveColumns } from './metadata/prove-columns.ts';
import { outcomeOf, toldProblem } from './problems.ts';
import { subjectsOf, type QuerySubjects } from './query-record.ts';
import { mustHide } from './row-filters/must-hide.ts';
import { narrowed, type ItemFilters } from './row-filters/narrowing.ts';
import { datasetsReached, rowFilters, visibleModel } from './row-filters/row-filters.ts';
import { run, type Runners, type RunningQuery, type Task } from './run/run.ts';
import { isTooLarge, sendKeys, tooManyFetched } from './row-filters/send-keys.ts';
import { rowSource, type AccountResolver } from './sources.ts';

/** What answering works with; built once by `app`. */
export interface QueryService extends Runners, AccountResolver {
  readonly reader: Reader;
  readonly registry: Registry;
  readonly models: ModelCache;
  readonly askDialects: AskDialects;
  readonly proveColumns: ProveColumns;
  readonly cache: AnswerCache;
  readonly underWay: RowsUnderWay;
  readonly observations: Observations;
  readonly uses: ColumnUses;
  readonly limits: { readonly rows: number; readonly bytes: number; readonly keys: number };
}

/** One request for rows: who asks, and everything that was read about it in one go. */
export interface QueryRequest {
  readonly caller: Caller;
  readonly terms: TokenTerms;
  readonly parameters: ReadonlyMap<string, Json>;
  /** The right that its caller needs on the datasets: *use*, or *read* for what stored items ask. */
  readonly right: Right;
  /** The datasets named by any query of the request on which the caller holds it. */
  readonly datasets: ReadonlyMap<string, LoadedDataset>;
  /** Further datasets that row filters reach over links. */
  readonly reached: ReadonlyMap<string, LoadedDataset>;
  readonly bounds: RowBounds;
  readonly narrowing: ItemFilters;
  /** What the operator learns of it. */
  readonly trace: RequestTrace;
  /** Datasets that queries need beside those they name. */
  readonly further: readonly string[];
  /** The same, read again with further datasets, as far as the caller holds the right on them. */
  readonly with: (further: readonly string[]) => Promise<QueryRequest>;
  readonly signal: AbortSignal;
  /** When the answer must be there, in milliseconds of `performance.now()`. */
  readonly deadlineMs: number;
}

/** What was decided about one query, without touching any row. */
interface QueryDecision {
  readonly choice: Choice;
  readonly sources: Sources;
  /** What identifies the answer; null where it is not kept. */
  readonly key: (() => string) | null;
  readonly keepMs: number;
  readonly locale: string;
  readonly subjects: QuerySubjects;
  /** Datasets elsewhere for the sake of whose row filters rows are fetched. */
  readonly fetchedFor: readonly string[];
}

/** The rows of one query: kept ones, or on their way. */
export type QueryResult =
  | {
      readonly kind: 'kept';
      readonly source: Choice['kind'];
      readonly rows: CachedRows;
      /** Whether they come from the cache; otherwise they were read for another caller at this moment. */
      readonly cached: boolean;
      readonly preparedMs: number;
    }
  | {
      readonly kind: 'running';
      readonly source: Choice['kind'];
      readonly running: RunningQuery;
      readonly subjects: QuerySubjects;
      readonly preparedMs: number;
      /** Takes the rows as they come; null where nobody else may be answered with them. */
      readonly keeper: RowsKeeper | null;
    };

async function usable(
  { reader }: QueryService,
  { caller, datasets }: QueryRequest,
  ids: readonly string[],
  at: string,
): Promise<readonly LoadedDataset[]> {
  const missing = ids.filter((id) => !datasets.has(id));
  if (missing.length > 0) {
    const seen = await seenDatasets(reader, caller, missing);
    const unknown = missing.filter((id) => !seen.has(id));
    if (unknown.length > 0)
      throw new Problem('dataset_unknown', {
        validation: { [at]: unknown.map((id) => `there is no dataset ${id}, or you may not see it`) },
      });
    throw new Problem('forbidden', {
      message: `Your role does not allow this; it needs: ${describeRole(securable('use'))}. What a stored item asks is open to readers: name its dashboard_id and item_id.`,
    });
  }
  return ids.flatMap((id) => datasets.get(id) ?? []);
}

const secondsIn = (value: Json | undefined): number => (typeof value === 'number' && value > 0 ? value : 0);

/** How long an answer may be kept: as long as each dataset, or else its account, allows. specification/data-queries#cache */
const keepSeconds = (datasets: readonly LoadedDataset[]): number =>
  Math.min(...datasets.map(({ record, account }) => secondsIn(record['cache']) || secondsIn(account?.record['cache'])));

const minuteMs = 60_000;

/** The datasets whose rows decide, over links, which rows of the named ones are visible. */
function reachedBy(
  { bounds, datasets, reached }: QueryRequest,
  named: readonly LoadedDataset[],
): readonly LoadedDataset[] {
  const ids = datasetsReached(
    bounds,
    named.map(({ id }) => id),
  );
  return ids.flatMap((id) => datasets.get(id) ?? reached.get(id) ?? []);
}

/** The one way from a question to rows: rights, model, row filters, plan, where to run. */
function decide(
  service: QueryService,
  request: QueryRequest,
  query: Query,
  at: string,
  rowLimit: number,
  lines: Lines | null,
): Promise<QueryDecision> {
  const work = (span: Span): Promise<QueryDecision> =>
    decideWithin(service, { ...request, trace: traceWithin(request.trace, span) }, query, at, rowLimit, lines);
  return within(request.trace.span.begin('plan'), work, outcomeOf);
}

async function decideWithin(
  service: QueryService,
  request: QueryRequest,
  query: Query,
  at: string,
  rowLimit: number,
  lines: Lines | null,
): Promise<QueryDecision> {
  const { caller, terms, parameters, bounds, trace } = request;
  const own = await usable(service, request, datasetsOf(query), at);
  const named = [...own, ...request.further.flatMap((id) => request.datasets.get(id) ?? [])];
  if (named.length === 0)
    throw new Problem('query_invalid', {
      validation: { [at]: ['names no dataset: a formula takes dataset_id beside it'] },
    });
  const hidden = new Set(caller.hiddenColumns);
  const nowMs = service.now();
  mustHide(terms, named);
  const behind = reachedBy(request, named);
  const resolved = [...named, ...behind].map(async (dataset) => {
    const source = await rowSource(service, dataset, caller, terms);
    return { dataset, source, model: await service.proveColumns(dataset, source, trace, request.signal) };
  });
  const found = await Promise.all(resolved);
  const sources = new Map(found.map(({ dataset, source }) => [dataset.id, source]));
  const whole = new Map(found.map(({ dataset, model }) => [dataset.id, model]));
  const models = new Map(
    named.flatMap(({ id }) => {
      const model = whole.get(id);
      return model === undefined ? [] : [[id, visibleModel(model, hidden)] as const];
    }),
  );
  const bounded = new Map(
    found.map(({ dataset: { id, record }, model }) => [
      id,
      { model, isShared: record['shared_across_tenants'] === true },
    ]),
  );
  const conditions = rowFilters(bounds, parameters, bounded, models.keys());
  // Rows elsewhere that decide which rows are visible may change at any time, too; versions are told apart by their names.
  const keptFor = found.flatMap(({ dataset, source }, index) =>
    index >= named.length && source.kind === 'version' ? [] : [dataset],
  );
  const keepMs = keepSeconds(keptFor) * 1000;
  const locale = query.options.localeId ?? terms.locale ?? 'en';
  const context: QueryContext & { readonly wholeModel: Model } = {
    // Relative dates of answers that are kept move a step at a time, or no two requests would be alike.
    nowMs: keepMs === 0 ? nowMs : nowMs - (nowMs % Math.min(keepMs, minuteMs)),
    timeZone: terms.timeZone ?? 'UTC',
    weekstart: 1,
    locale,
    rowLimit,
    rowFilters: conditions,
    wholeModel: { datasets: whole },
  };
  const dialectOf = await service.askDialects(service, sources.values(), trace, request.signal);
  const reading = {
    runners: service,
    caller,
    context,
    sources,
    dialectOf,
    mostKeys: service.limits.keys,
    trace,
    signal: request.signal,
    limits: { bytes: service.limits.bytes, deadlineMs: leftMs(request) },
  };
  const sent = await sendKeys(reading, conditions, [...models.keys()]);
  const toPlan = { ...context, rowFilters: sent.rowFilters };
  const planning = { ...narrowed(request, query, { datasets: models }, toPlan), context: toPlan, lines };
  const needed = new Map([...sources].filter(([id]) => models.has(id) || sent.reached.has(id)));
  const choice = choose(planning, needed, dialectOf);
  const revisions = new Map(found.map(({ dataset: { id, revision } }) => [id, revision]));
  // Versions never change: two who ask the same of them at the same moment are answered by one reading.
  const isFixed = choice.kind === 'engine' && [...needed.values()].every(({ kind }) => kind === 'version');
  const key =
    keepMs === 0 && !isFixed ? null : () => keyOf(caller.organizationId, choice, sources, revisions, locale, rowLimit);
  const subjects = subjectsOf(needed, conditions, query, { datasets: whole }, keepMs);
  return { choice, sources: needed, key, keepMs, locale, subjects, fetchedFor: sent.fetchedFor };
}

const leftMs = ({ deadlineMs }: QueryRequest): number => Math.max(1, Math.floor(deadlineMs - performance.now()));

/** Answers one query. Resolves with the first rows. Raises Problem. */
export async function answerQuery(
  service: QueryService,
  request: QueryRequest,
  query: Query,
  at: string,
): Promise<QueryResult> {
  try {
    return await overFurtherDatasets(service, request, query, (whole) =>
      overCurrentVersions(service, whole, query, (current) => answered(service, current, query, at)),
    );
  } catch (error) {
    throw toldProblem(error, at);
  }
}

/** Runs what was decided; says where a row filter is why too many rows would have to be fetched. Raises Problem. */
async function runDecided(
  service: QueryService,
  { caller, signal }: QueryRequest,
  { fetchedFor }: QueryDecision,
  task: Task,
): Promise<RunningQuery> {
  try {
    return await run(service, task, signal);
  } catch (error) {
    if (fetchedFor.length === 0 || !isTooLarge(error)) throw error;
    throw tooManyFetched(fetchedFor, await seenDatasets(service.reader, caller, fetchedFor), service.limits.keys);
  }
}

async function answered(service: QueryService, request: QueryRequest, query: Query, at: string): Promise<QueryResult> {
  const startedMs = performance.now();
  const { rows, bytes } = service.limits;
  const decision = await decide(service, request, query, at, rows, null);
  const { choice, keepMs } = decision;
  const key = decision.key?.() ?? null;
  const preparedMs = performance.now() - startedMs;
  const { cache, underWay } = service;
  const kept = key === null || keepMs === 0 ? undefined : cache.get(key, service.now());
  if (kept !== undefined) return { kind: 'kept', source: choice.kind, rows: kept, cached: true, preparedMs };
  const shared = key === null ? null : await underWay.of(key, request.signal);
  if (shared !== null) return { kind: 'kept', source: choice.kind, rows: shared, cached: false, preparedMs };
  const askedAtMs = service.now();
  const limits = { rowLimit: rows, byteLimit: bytes, deadlineMs: leftMs(request) };
  const task = { ...decision, caller: request.caller, lines: null, limits, trace: request.trace };
  const tell = key === null ? null : underWay.begin(key, request.signal);
  const running = await runDecided(service, request, decision, task).catch((error: unknown) => {
    tell?.(null);
    throw error;
  });
  const untilMs = keepMs === 0 ? null : askedAtMs + keepMs;
  const keeper = key === null || tell === null ? null : keepRows(cache, key, untilMs, tell);
  return { kind: 'running', source: choice.kind, running, subjects: decision.subjects, preparedMs, keeper };
}

/**
 * The rows of one query as lines of a file, at most `mostRows`, on the same way as every answer; nothing of them is kept.
 * Resolves with the first lines. Raises Problem; what `chunks` raises is put into words by `toldProblem`.
 */
export async function exportQuery(
  service: QueryService,
  request: QueryRequest,
  query: Query,
  at: string,
  lines: Lines,
  mostRows: number,
): Promise<RunningQuery> {
  try {
    const exported = async (current: QueryRequest): Promise<RunningQuery> => {
      const decision = await decide(service, current, query, at, mostRows, lines);
      const limits = { rowLimit: mostRows, byteLimit: Number.MAX_SAFE_INTEGER, deadlineMs: leftMs(current) };
      const task: Task = { ...decision, caller: current.caller, lines, limits, trace: current.trace };
      return runDecided(service, current, decision, task);
    };
    return await overFurtherDatasets(service, request, query, (whole) =>
      overCurrentVersions(service, whole, query, exported),
    );
  } catch (error) {
    throw toldProblem(error, at);
  }
}
