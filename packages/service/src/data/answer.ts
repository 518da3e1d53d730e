import { datasetsOf, QueryProblem, type Context, type Lines, type Model, type Query } from '@inlay/query';
import type { Json } from '@inlay/contract';
import { says, securable, type Right } from '../access/roles.ts';
import type { Caller } from '../access/caller.ts';
import { SourceProblem } from '../connectors/problem.ts';
import { EngineProblem } from '../engine/engine.ts';
import { Problem } from '../problems/problem.ts';
import type { Registry } from '../resource/registry.ts';
import type { Reader } from '../store/store.ts';
import type { AnswerCache, KeptRows } from './cache.ts';
import { choose, keyOf, type Choice, type Sources } from './choose.ts';
import { overCurrentVersions } from './model/current-versions.ts';
import { overFurtherDatasets } from './model/further-datasets.ts';
import { seenDatasets } from './model/load-datasets.ts';
import type { AskDialects } from './dialects.ts';
import type { ModelCache } from './model/load-model.ts';
import type { LoadedDataset, RowBounds, TokenTerms } from './model/parts.ts';
import type { ProveColumns } from './metadata/prove-columns.ts';
import { engineProblem, queryProblem, sourceProblem } from './problems.ts';
import { mustHide } from './row-filters/must-hide.ts';
import { narrowed, type Narrowing } from './row-filters/narrowing.ts';
import { datasetsReached, rowFilters, visibleModel } from './row-filters/row-filters.ts';
import { run, type Runners, type Running, type Task } from './run.ts';
import { isTooLarge, sendKeys, tooManyFetched } from './row-filters/send-keys.ts';
import { rowSource, type Reaching } from './sources.ts';

/** What answering works with; built once by `app`. */
export interface Answering extends Runners, Reaching {
  readonly reader: Reader;
  readonly registry: Registry;
  readonly models: ModelCache;
  readonly askDialects: AskDialects;
  readonly proveColumns: ProveColumns;
  readonly cache: AnswerCache;
  readonly limits: { readonly rows: number; readonly bytes: number; readonly keys: number };
}

/** One request for rows: who asks, and everything that was read about it in one go. */
export interface Asking {
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
  readonly narrowing: Narrowing;
  /** Datasets that queries need beside those they name. */
  readonly further: readonly string[];
  /** The same, read again with further datasets, as far as the caller holds the right on them. */
  readonly with: (further: readonly string[]) => Promise<Asking>;
  readonly signal: AbortSignal;
  /** When the answer must be there, in milliseconds of `performance.now()`. */
  readonly deadlineMs: number;
}

/** What was decided about one query, without touching any row. */
interface Decided {
  readonly choice: Choice;
  readonly sources: Sources;
  /** What identifies the answer; null where it is not kept. */
  readonly key: (() => string) | null;
  readonly keepMs: number;
  readonly locale: string;
  /** Datasets elsewhere for the sake of whose row filters rows are fetched. */
  readonly fetchedFor: readonly string[];
}

/** The rows of one query: kept ones, or on their way. */
export type Answered =
  | { readonly kind: 'kept'; readonly source: Choice['kind']; readonly rows: KeptRows; readonly preparedMs: number }
  | {
      readonly kind: 'running';
      readonly source: Choice['kind'];
      readonly running: Running;
      readonly preparedMs: number;
      /** Keeps the rows once all of them are there; null where they are not to be kept. */
      readonly keep: ((rows: KeptRows) => void) | null;
    };

async function usable(
  { reader }: Answering,
  { caller, datasets }: Asking,
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
      message: `Your role does not allow this; it needs: ${says(securable('use'))}. What a stored item asks is open to readers: name its dashboard_id and item_id.`,
    });
  }
  return ids.flatMap((id) => datasets.get(id) ?? []);
}

const secondsIn = (value: Json | undefined): number => (typeof value === 'number' && value > 0 ? value : 0);

/** How long an answer may be kept: as long as each dataset, or else its account, allows. */
const keepSeconds = (datasets: readonly LoadedDataset[]): number =>
  Math.min(...datasets.map(({ record, account }) => secondsIn(record['cache']) || secondsIn(account?.record['cache'])));

const minuteMs = 60_000;

/** The datasets whose rows decide, over links, which rows of the named ones are visible. */
function reachedBy({ bounds, datasets, reached }: Asking, named: readonly LoadedDataset[]): readonly LoadedDataset[] {
  const ids = datasetsReached(
    bounds,
    named.map(({ id }) => id),
  );
  return ids.flatMap((id) => datasets.get(id) ?? reached.get(id) ?? []);
}

/** The one way from a question to rows: rights, model, row filters, plan, where to run. */
async function decide(
  answering: Answering,
  asking: Asking,
  query: Query,
  at: string,
  rowLimit: number,
  lines: Lines | null,
): Promise<Decided> {
  const { caller, terms, parameters, bounds } = asking;
  const own = await usable(answering, asking, datasetsOf(query), at);
  const named = [...own, ...asking.further.flatMap((id) => asking.datasets.get(id) ?? [])];
  if (named.length === 0) throw new Problem('query_invalid', { validation: { [at]: ['names no dataset'] } });
  const hidden = new Set(caller.hiddenColumns);
  const nowMs = answering.now();
  mustHide(terms, named);
  const behind = reachedBy(asking, named);
  const resolved = [...named, ...behind].map(async (dataset) => {
    const source = await rowSource(answering, dataset, caller, terms);
    return { dataset, source, model: await answering.proveColumns(dataset, source, asking.signal) };
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
  const context: Context & { readonly wholeModel: Model } = {
    // Relative dates of answers that are kept move a step at a time, or no two requests would be alike.
    nowMs: keepMs === 0 ? nowMs : nowMs - (nowMs % Math.min(keepMs, minuteMs)),
    timeZone: terms.timeZone ?? 'UTC',
    weekstart: 1,
    locale,
    rowLimit,
    rowFilters: conditions,
    wholeModel: { datasets: whole },
  };
  const dialectOf = await answering.askDialects(answering, sources.values(), asking.signal);
  const reading = {
    ...{ runners: answering, organizationId: caller.organizationId, context, sources, dialectOf },
    ...{ mostKeys: answering.limits.keys, signal: asking.signal },
    limits: { bytes: answering.limits.bytes, deadlineMs: leftMs(asking) },
  };
  const sent = await sendKeys(reading, conditions, [...models.keys()]);
  const toPlan = { ...context, rowFilters: sent.rowFilters };
  const planning = { ...narrowed(asking, query, { datasets: models }, toPlan), context: toPlan, lines };
  const needed = new Map([...sources].filter(([id]) => models.has(id) || sent.reached.has(id)));
  const choice = choose(planning, needed, dialectOf);
  const revisions = new Map(found.map(({ dataset: { id, revision } }) => [id, revision]));
  const key = keepMs === 0 ? null : () => keyOf(caller.organizationId, choice, sources, revisions, locale, rowLimit);
  return { choice, sources: needed, key, keepMs, locale, fetchedFor: sent.fetchedFor };
}

/** Whatever answering raised, as the Problem a caller is told. */
export function toldProblem(error: unknown, at: string): unknown {
  if (error instanceof QueryProblem) return queryProblem(error, at);
  if (error instanceof SourceProblem) return sourceProblem(error);
  if (error instanceof EngineProblem) return engineProblem(error);
  return error;
}

const leftMs = ({ deadlineMs }: Asking): number => Math.max(1, Math.floor(deadlineMs - performance.now()));

/** Answers one query. Resolves with the first rows. Raises Problem. */
export async function answerQuery(answering: Answering, asking: Asking, query: Query, at: string): Promise<Answered> {
  try {
    return await overFurtherDatasets(answering, asking, query, (whole) =>
      overCurrentVersions(answering, whole, query, (current) => answered(answering, current, query, at)),
    );
  } catch (error) {
    throw toldProblem(error, at);
  }
}

/** Runs what was decided; says where a row filter is why too many rows would have to be fetched. Raises Problem. */
async function runDecided(
  answering: Answering,
  { caller, signal }: Asking,
  { fetchedFor }: Decided,
  task: Task,
): Promise<Running> {
  try {
    return await run(answering, task, signal);
  } catch (error) {
    if (fetchedFor.length === 0 || !isTooLarge(error)) throw error;
    throw tooManyFetched(fetchedFor, await seenDatasets(answering.reader, caller, fetchedFor), answering.limits.keys);
  }
}

async function answered(answering: Answering, asking: Asking, query: Query, at: string): Promise<Answered> {
  const startedMs = performance.now();
  const { rows, bytes } = answering.limits;
  const decided = await decide(answering, asking, query, at, rows, null);
  const { choice, keepMs } = decided;
  const key = decided.key?.() ?? null;
  const preparedMs = performance.now() - startedMs;
  const kept = key === null ? undefined : answering.cache.get(key, answering.now());
  if (kept !== undefined) return { kind: 'kept', source: choice.kind, rows: kept, preparedMs };
  const askedAtMs = answering.now();
  const limits = { rowLimit: rows, byteLimit: bytes, deadlineMs: leftMs(asking) };
  const task = { ...decided, organizationId: asking.caller.organizationId, lines: null, limits };
  const running = await runDecided(answering, asking, decided, task);
  const keep = key === null ? null : (found: KeptRows): void => answering.cache.put(key, found, askedAtMs + keepMs);
  return { kind: 'running', source: choice.kind, running, preparedMs, keep };
}

/**
 * The rows of one query as lines of a file, at most `mostRows`, on the same way as every answer; nothing of them is kept.
 * Resolves with the first lines. Raises Problem; what `chunks` raises is put into words by `toldProblem`.
 */
export async function exportQuery(
  answering: Answering,
  asking: Asking,
  query: Query,
  at: string,
  lines: Lines,
  mostRows: number,
): Promise<Running> {
  try {
    const exported = async (current: Asking): Promise<Running> => {
      const decided = await decide(answering, current, query, at, mostRows, lines);
      const limits = { rowLimit: mostRows, byteLimit: Number.MAX_SAFE_INTEGER, deadlineMs: leftMs(current) };
      const task: Task = { ...decided, organizationId: current.caller.organizationId, lines, limits };
      return runDecided(answering, current, decided, task);
    };
    return await overFurtherDatasets(answering, asking, query, (whole) =>
      overCurrentVersions(answering, whole, query, exported),
    );
  } catch (error) {
    throw toldProblem(error, at);
  }
}
