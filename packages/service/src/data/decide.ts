import {
  datasetsOf,
  rollupNeeds,
  type Lines,
  type Model,
  type ModelDataset,
  type Query,
  type QueryContext,
  type RowFilter,
} from '@inlay/query';
import type { Json } from '@inlay/contract';
import { describeRole, securable } from '../declare/roles.ts';
import { Problem } from '../problems/problem.ts';
import { traceWithin, within, type Span } from '../tracing/trace.ts';
import { choose, keyOf, type Choice, type Sources } from './choose.ts';
import { chooseCopies, withoutDeleted, type CopyChoice, type CopyMiss } from './copies/copy-choice.ts';
import { seenDatasets } from './model/load-datasets.ts';
import type { LoadedDataset } from './model/parts.ts';
import { outcomeOf } from './problems.ts';
import { subjectsOf, type QuerySubjects } from './query-record.ts';
import { leftMs, type QueryRequest, type QueryService } from './query-request.ts';
import { mustHide } from './row-filters/must-hide.ts';
import { narrowed } from './row-filters/narrowing.ts';
import { datasetsReached, rowFilters, visibleModel } from './row-filters/row-filters.ts';
import { sendKeys } from './row-filters/send-keys.ts';
import { rowSource, type RowSource } from './sources.ts';

/** How to answer one query. Deciding reads no rows of the query itself. */
export interface QueryDecision {
  readonly choice: Choice;
  readonly sources: Sources;
  /** Returns the cache key of the answer; null if the answer must not be shared. */
  readonly key: (() => string) | null;
  /** How long the answer may be cached, in ms; 0 if it must not be cached. */
  readonly keepMs: number;
  readonly locale: string;
  /** The time up to which the copies that the query reads have the rows of their sources; null if it reads no copy. */
  readonly dataAsOf: string | null;
  /** Why the query reads sources although datasets have accelerations; null if it reads copies or has none. */
  readonly copyMiss: CopyMiss | null;
  readonly subjects: QuerySubjects;
  /** Datasets in other databases whose rows must be fetched, because row filters look them up. */
  readonly fetchedFor: readonly string[];
}

async function usable(
  { reader }: QueryService,
  { caller, datasets }: QueryRequest,
  ids: readonly string[],
  at: string,
): Promise<readonly LoadedDataset[]> {
  const missingIds = ids.filter((id) => !datasets.has(id));
  if (missingIds.length > 0) {
    const visibleIds = await seenDatasets(reader, caller, missingIds);
    const unknownIds = missingIds.filter((id) => !visibleIds.has(id));
    if (unknownIds.length > 0)
      throw new Problem('dataset_unknown', {
        validation: { [at]: unknownIds.map((id) => `there is no dataset ${id}, or you may not see it`) },
      });
    throw new Problem('forbidden', {
      message: `Your role does not allow this; it needs: ${describeRole(securable('use'))}. What a stored item asks is open to readers: name its dashboard_id and item_id.`,
    });
  }
  return ids.flatMap((id) => datasets.get(id) ?? []);
}

const secondsIn = (value: Json | undefined): number => (typeof value === 'number' && value > 0 ? value : 0);

/**
 * Returns the cache time of an answer in seconds: the minimum over its datasets. A dataset has its own cache time, or
 * else that of its account. specification/data-queries#cache
 */
const cacheSeconds = (datasets: readonly LoadedDataset[]): number =>
  Math.min(...datasets.map(({ record, account }) => secondsIn(record['cache']) || secondsIn(account?.record['cache'])));

const minuteMs = 60_000;

/** Returns the datasets that row filters of the named datasets look up through links. */
function reachedBy(
  { bounds, datasets, reached }: QueryRequest,
  namedDatasets: readonly LoadedDataset[],
): readonly LoadedDataset[] {
  const ids = datasetsReached(
    bounds,
    namedDatasets.map(({ id }) => id),
  );
  return ids.flatMap((id) => datasets.get(id) ?? reached.get(id) ?? []);
}

/** A query for which to decide how it is answered. */
export interface DecidableQuery {
  readonly query: Query;
  /** Path of the query in the request. */
  readonly at: string;
  readonly rowLimit: number;
  /** File format in which rows are written; null for JSON arrays. */
  readonly lines: Lines | null;
}

interface ResolvedDataset {
  readonly dataset: LoadedDataset;
  readonly source: RowSource;
  /** The model with all columns, including those that are hidden from the caller. */
  readonly model: ModelDataset;
}

/** The datasets of a query with their sources. */
interface ResolvedDatasets {
  readonly copies: CopyChoice;
  /** Datasets that the query names, and further datasets that it needs. */
  readonly named: readonly ResolvedDataset[];
  /** Datasets that row filters of the named datasets look up. */
  readonly behind: readonly ResolvedDataset[];
  readonly sources: Sources;
  /** Models by dataset id, with all columns. */
  readonly models: Model['datasets'];
  /** Models of the named datasets, by dataset id, without the columns that are hidden from the caller. */
  readonly visible: Model['datasets'];
}

/** Resolves the datasets of a query to their sources. Raises Problem. */
async function resolveDatasets(
  service: QueryService,
  request: QueryRequest,
  { query, at }: DecidableQuery,
): Promise<ResolvedDatasets> {
  const { caller, terms, trace, signal } = request;
  const queryDatasets = await usable(service, request, datasetsOf(query), at);
  const namedDatasets = [...queryDatasets, ...request.further.flatMap((id) => request.datasets.get(id) ?? [])];
  if (namedDatasets.length === 0)
    throw new Problem('query_invalid', {
      validation: { [at]: ['names no dataset: a formula takes dataset_id beside it'] },
    });
  mustHide(terms, namedDatasets);
  const allDatasets = [...namedDatasets, ...reachedBy(request, namedDatasets)];
  const copies = chooseCopies(allDatasets, {
    terms,
    maxAge: query.options.maxAge,
    nowMs: service.now(),
    isLost: request.isCopyLost === true,
  });
  const resolve = async (dataset: LoadedDataset): Promise<ResolvedDataset> => {
    const source = await rowSource(service, dataset, caller, terms, copies.isHit);
    return { dataset, source, model: await service.proveColumns(dataset, source, trace, signal) };
  };
  const resolvedDatasets = await Promise.all(allDatasets.map(resolve));
  const hiddenColumns = new Set(caller.hiddenColumns);
  const resolvedNamed = resolvedDatasets.slice(0, namedDatasets.length);
  return {
    copies,
    named: resolvedNamed,
    behind: resolvedDatasets.slice(namedDatasets.length),
    sources: new Map(resolvedDatasets.map(({ dataset, source }) => [dataset.id, source])),
    models: new Map(resolvedDatasets.map(({ dataset, model }) => [dataset.id, model])),
    visible: new Map(resolvedNamed.map(({ dataset, model }) => [dataset.id, visibleModel(model, hiddenColumns)])),
  };
}

/** Everything that determines a plan besides the query and the models. */
interface PlanningContext {
  readonly conditions: ReadonlyMap<string, readonly RowFilter[]>;
  readonly context: QueryContext & { readonly wholeModel: Model };
  readonly keepMs: number;
  readonly locale: string;
}

/** Collects row filters, current time, time zone and language for a plan. Raises Problem. */
function planningContext(
  service: QueryService,
  { terms, parameters, bounds }: QueryRequest,
  { query, rowLimit }: DecidableQuery,
  { named, behind, models, visible }: ResolvedDatasets,
): PlanningContext {
  const filterTargets = new Map(
    [...named, ...behind].map(({ dataset: { id, record }, model }) => [
      id,
      { model, isShared: record['shared_across_tenants'] === true },
    ]),
  );
  const conditions = withoutDeleted(
    rowFilters(bounds, parameters, filterTargets, visible.keys()),
    [...named, ...behind].map(({ dataset }) => dataset),
  );
  // Rows that are looked up at other sources may change at any time. Rows of a version never change.
  const changingDatasets = behind.filter(({ source }) => source.kind !== 'version');
  const keepMs = cacheSeconds([...named, ...changingDatasets].map(({ dataset }) => dataset)) * 1000;
  const nowMs = service.now();
  const locale = query.options.localeId ?? terms.locale ?? 'en';
  return {
    conditions,
    keepMs,
    locale,
    context: {
      // For cached answers, the current time advances in steps, so that requests with relative dates can share a key.
      nowMs: keepMs === 0 ? nowMs : nowMs - (nowMs % Math.min(keepMs, minuteMs)),
      timeZone: terms.timeZone ?? 'UTC',
      weekstart: 1,
      locale,
      rowLimit,
      rowFilters: conditions,
      wholeModel: { datasets: models },
    },
  };
}

/** Where a query runs, and the keys or rows that its row filters need. */
interface Placement {
  readonly choice: Choice;
  /** The sources that the query reads. */
  readonly needed: Sources;
  readonly fetchedFor: readonly string[];
}

async function place(
  service: QueryService,
  request: QueryRequest,
  { query, lines }: DecidableQuery,
  { sources, visible }: ResolvedDatasets,
  { conditions, context }: PlanningContext,
): Promise<Placement> {
  const { caller, trace, signal } = request;
  const dialectOf = await service.dialects.of(service, sources.values(), trace, signal);
  const reading = {
    keys: request.keys,
    runners: service,
    caller,
    context,
    sources,
    dialectOf,
    trace,
    signal,
    maxKeys: service.limits.keys,
    limits: { bytes: service.limits.bytes, deadlineMs: leftMs(request) },
  };
  const { rowFilters: sentFilters, reached, fetchedFor } = await sendKeys(reading, conditions, [...visible.keys()]);
  const narrowedContext = { ...context, rowFilters: sentFilters };
  const planning = {
    ...narrowed(request, query, { datasets: visible }, narrowedContext),
    context: narrowedContext,
    lines,
    cluster: service.cluster === null ? null : { cluster: service.cluster, organizationId: caller.organizationId },
  };
  const neededSources = new Map([...sources].filter(([id]) => visible.has(id) || reached.has(id)));
  return { choice: choose(planning, neededSources, dialectOf), needed: neededSources, fetchedFor };
}

/**
 * Returns a function that computes the cache key of an answer. Returns null if the answer must not be shared: it is not
 * cached, and its rows may change at any time.
 */
function cacheKey(
  { caller }: QueryRequest,
  { rowLimit }: DecidableQuery,
  { named, behind, sources }: ResolvedDatasets,
  { keepMs, locale }: PlanningContext,
  { choice, needed }: Placement,
): (() => string) | null {
  // Versions never change. Equal queries over versions that run at the same time can therefore share one result.
  const isFixed = choice.place !== 'source' && [...needed.values()].every(({ kind }) => kind === 'version');
  if (keepMs === 0 && !isFixed) return null;
  const revisions = new Map([...named, ...behind].map(({ dataset: { id, revision } }) => [id, revision]));
  return () => keyOf(caller.organizationId, choice, sources, revisions, locale, rowLimit);
}

/** Counts the use of copies and rollups, and which rollups would answer the query. */
function noteUses(
  { copyUses, rollupDemand }: QueryService,
  { terms }: QueryRequest,
  { query }: DecidableQuery,
  { copies, named, behind }: ResolvedDatasets,
  choice: Choice,
): void {
  const isInEngine = choice.place === 'engine';
  copyUses.note(copies, isInEngine && choice.rolledUp !== null);
  if (!isInEngine || choice.plan === null) return;
  const ownZone = terms.timeZone ?? 'UTC';
  const datasets = new Map([...named, ...behind].map(({ dataset }) => [dataset.id, dataset]));
  const zones = [query.options.timezoneId ?? ownZone, ownZone];
  const needs = rollupNeeds(choice.plan, zones, (id) => datasets.get(id)?.acceleration?.copy?.newest ?? {});
  for (const { id: datasetId, organizationId, acceleration } of datasets.values()) {
    if (acceleration !== null) rollupDemand.note({ accelerationId: acceleration.id, datasetId, organizationId }, needs);
  }
}

async function decideWithin(
  service: QueryService,
  request: QueryRequest,
  decidable: DecidableQuery,
): Promise<QueryDecision> {
  const datasets = await resolveDatasets(service, request, decidable);
  const planning = planningContext(service, request, decidable, datasets);
  const placement = await place(service, request, decidable, datasets, planning);
  const { choice, needed, fetchedFor } = placement;
  const { conditions, keepMs, locale } = planning;
  noteUses(service, request, decidable, datasets, choice);
  return {
    dataAsOf: datasets.copies.dataAsOf,
    copyMiss: datasets.copies.miss,
    choice,
    keepMs,
    locale,
    fetchedFor,
    sources: needed,
    key: cacheKey(request, decidable, datasets, planning, placement),
    subjects: subjectsOf(needed, conditions, decidable.query, { datasets: datasets.models }, keepMs),
  };
}

/**
 * Decides how to answer a query: checks rights, builds the model with row filters, and plans what runs where. Raises
 * Problem.
 */
export function decide(
  service: QueryService,
  request: QueryRequest,
  decidable: DecidableQuery,
): Promise<QueryDecision> {
  const work = (span: Span): Promise<QueryDecision> =>
    decideWithin(service, { ...request, trace: traceWithin(request.trace, span) }, decidable);
  return within(request.trace.span.begin('plan'), work, outcomeOf);
}
