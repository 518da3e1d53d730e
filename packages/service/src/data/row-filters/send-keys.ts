import { inWords, isList, type Json } from '@inlay/contract';
import { planKeys, type QueryContext, type KeyListFilter, type LookupFilter, type RowFilter } from '@inlay/query';
import { Problem } from '../../problems/problem.ts';
import { choosePlace, type Sources } from '../choose.ts';
import type { DialectOf } from '../dialects.ts';
import type { QueryCaller } from '../run/query-task.ts';
import { run } from '../run/run.ts';
import type { Runners } from '../run/runners.ts';
import type { RowSource } from '../sources.ts';
import type { RequestTrace } from '../../tracing/trace.ts';

interface ReadKeys extends Pick<KeyListFilter, 'type' | 'keys'> {
  readonly bytes: number;
}

/** Keys that the queries of one request read, by lookup and version of the rows; null where keys cannot be sent. */
export type RequestKeys = Map<string, Promise<ReadKeys | null>>;

/** Dependencies for reading keys. */
export interface KeyReading {
  /** Shared by the queries of a request. */
  readonly keys: RequestKeys;
  readonly runners: Runners;
  readonly caller: QueryCaller;
  readonly context: QueryContext & { readonly wholeModel: NonNullable<QueryContext['wholeModel']> };
  readonly sources: Sources;
  readonly dialectOf: DialectOf;
  /** Maximum number of keys in a list. */
  readonly maxKeys: number;
  readonly limits: { readonly bytes: number; readonly deadlineMs: number };
  readonly trace: RequestTrace;
  readonly signal: AbortSignal;
}

/** Row filters in which lookups to other databases have been replaced by lists of keys. */
export interface SentKeys {
  readonly rowFilters: ReadonlyMap<string, readonly RowFilter[]>;
  /** Datasets that the remaining lookups refer to. */
  readonly reached: ReadonlySet<string>;
  /**
   * Datasets in other databases whose keys could not be sent, so that rows must be fetched for them. Empty if the rows
   * of the query are fetched in any case.
   */
  readonly fetchedFor: readonly string[];
}

/** Returns a key for the database of a dataset's rows. A single statement can read all datasets with the same key. */
function placeOf(datasetId: string, source: RowSource | undefined): string {
  switch (source?.kind) {
    case undefined:
    case 'version':
    case 'files':
      return 'engine';
    case 'sql':
      return `sql ${source.resolved.account.id} ${source.resolved.overriddenBy ?? ''}`;
    case 'plugin':
      return `plugin ${datasetId}`;
  }
}

const decoder = new TextDecoder();

/**
 * Maximum size of all key lists of one query, in bytes. By default, servers accept statements of 16 MB, and a statement
 * may repeat a list.
 */
const maxListBytes = 5 * 1024 * 1024;

/** True for the problem that a query would fetch too many rows. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Problem && error.data.code === 'query_too_large';

/** Returns all lookups in filters, at any depth. */
const lookupsIn = (filters: readonly RowFilter[]): readonly LookupFilter[] =>
  filters.flatMap((filter) => {
    if (filter.kind === 'test' || filter.kind === 'keys' || filter.kind === 'empty') return [];
    return [...(filter.kind === 'lookup' ? [filter] : []), ...lookupsIn(filter.of)];
  });

/** Returns the ids of the datasets that a lookup reads. */
const lookedUpIn = (filter: LookupFilter): readonly string[] =>
  [filter, ...lookupsIn(filter.of)].map(({ to }) => to.datasetId);

const versionOf = (source: RowSource | undefined): string | null =>
  source?.kind === 'version' ? source.version : null;

/**
 * Reads the keys that a lookup finds, as texts. Returns null if there are too many keys, or if their type is not
 * supported.
 */
async function readKeys(reading: KeyReading, filter: LookupFilter, maxBytes: number): Promise<ReadKeys | null> {
  const { context, sources, maxKeys, runners, caller, dialectOf, limits, trace, signal } = reading;
  const plannedKeys = planKeys(filter, context, maxKeys);
  if (plannedKeys === null) return null;
  const ids = lookedUpIn(filter);
  const ownSources: Sources = new Map([...sources].filter(([id]) => ids.includes(id)));
  const choice = choosePlace(plannedKeys.plan, context.wholeModel, ownSources, dialectOf);
  const task = {
    caller,
    choice,
    sources: ownSources,
    locale: 'en',
    copyMiss: null,
    lines: null,
    trace,
    limits: { rowLimit: maxKeys, byteLimit: Math.min(limits.bytes, maxBytes), deadlineMs: limits.deadlineMs },
  };
  const runningQuery = await run(runners, task, signal);
  const chunks: Uint8Array[] = [];
  for await (const chunk of runningQuery.chunks) chunks.push(chunk);
  if ((await runningQuery.summary()).truncated) return null;
  const text = Buffer.concat(chunks);
  const rows: Json = JSON.parse(`[${decoder.decode(text)}]`);
  const keys = (isList(rows) ? rows : []).map((row) => inWords(isList(row) ? row[0] : row));
  // Sorted, so that equal lists lead to the same cache key.
  return { type: plannedKeys.type, keys: keys.toSorted(), bytes: text.byteLength };
}

/**
 * Like `readKeys`, but also returns null if reading the keys would fetch too many rows. The query then tries to fetch
 * these rows itself, and is refused.
 */
async function readOrNull(reading: KeyReading, filter: LookupFilter, maxBytes: number): Promise<ReadKeys | null> {
  try {
    return await readKeys(reading, filter, maxBytes);
  } catch (error) {
    if (isTooLarge(error)) return null;
    throw error;
  }
}

/** Reads the keys of a lookup, unless another query of the request reads them. Keys that could not be read are read again. */
function sharedKeys(reading: KeyReading, filter: LookupFilter): Promise<ReadKeys | null> {
  const { keys, sources } = reading;
  const versions = lookedUpIn(filter).map((id) => versionOf(sources.get(id)));
  const name = JSON.stringify([filter, versions]);
  const knownKeys = keys.get(name);
  if (knownKeys !== undefined) return knownKeys;
  const newKeys = readOrNull(reading, filter, maxListBytes);
  keys.set(name, newKeys);
  newKeys.catch(() => keys.delete(name));
  return newKeys;
}

/**
 * Replaces each lookup to a dataset in another database by the list of keys that it finds, which are read first. The
 * query then runs at its own source and fetches no rows. `namedIds` are the datasets of the query. Raises what running
 * a query raises.
 */
export async function sendKeys(
  reading: KeyReading,
  rowFilters: ReadonlyMap<string, readonly RowFilter[]>,
  namedIds: readonly string[],
): Promise<SentKeys> {
  const place = (id: string): string => placeOf(id, reading.sources.get(id));
  const remaining = { bytes: maxListBytes };
  const keysOf = async (filter: LookupFilter): Promise<ReadKeys | null> => {
    const visibleKeys = await sharedKeys(reading, filter);
    if (visibleKeys === null || visibleKeys.bytes > remaining.bytes) return null;
    remaining.bytes -= visibleKeys.bytes;
    return visibleKeys;
  };
  const sendFilter = async (filter: RowFilter): Promise<RowFilter> => {
    if (filter.kind === 'test' || filter.kind === 'keys' || filter.kind === 'empty') return filter;
    const of: RowFilter[] = [];
    for (const entry of filter.of) of.push(await sendFilter(entry));
    if (filter.kind !== 'lookup') return { ...filter, of };
    const innerFilter = { ...filter, of };
    // Plugins get only conditions on single columns, so a list of keys would not be sent.
    const ownPlace = place(filter.from.datasetId);
    if (ownPlace === place(filter.to.datasetId) || ownPlace.startsWith('plugin')) return innerFilter;
    const list = await keysOf(innerFilter);
    return list === null ? innerFilter : { kind: 'keys', from: filter.from, type: list.type, keys: list.keys };
  };
  const sentFilters = new Map<string, readonly RowFilter[]>();
  for (const [id, filters] of rowFilters) {
    const datasetFilters: RowFilter[] = [];
    for (const filter of filters) datasetFilters.push(await sendFilter(filter));
    sentFilters.set(id, datasetFilters);
  }
  const lookups = lookupsIn([...sentFilters.values()].flat());
  const distantLookups = lookups.filter(({ from, to }) => place(from.datasetId) !== place(to.datasetId));
  const [where = '', ...elsewhere] = new Set(namedIds.map(place));
  const isFetchedAnyway = elsewhere.length > 0 || where.startsWith('plugin');
  return {
    rowFilters: sentFilters,
    reached: new Set(lookups.map(({ to }) => to.datasetId)),
    fetchedFor: isFetchedAnyway ? [] : [...new Set(distantLookups.map(({ to }) => to.datasetId))],
  };
}

/**
 * Creates the problem for a query that would fetch too many rows because of row filters on these datasets. The message
 * names only datasets that the caller may see. `maxKeys` is the maximum number of keys in a list.
 */
export function tooManyFetched(ids: readonly string[], visibleIds: ReadonlySet<string>, maxKeys: number): Problem {
  const visible = ids.filter((id) => visibleIds.has(id)).map((id) => `dataset ${id}`);
  const others = visible.length < ids.length ? ['a linked dataset'] : [];
  const datasetList = [...visible, ...others].join(' or ');
  return new Problem('query_too_large', {
    message: `A row filter on ${datasetList} in another place cannot be sent along as a list of keys (at most ${maxKeys} whole numbers or texts), and all rows are too many to fetch. Filter the dataset of the query itself, or keep both datasets in one place.`,
  });
}
