import { inWords, isList, type Json } from '@inlay/contract';
import { planKeys, type Context, type LookupFilter, type RowFilter } from '@inlay/query';
import { Problem } from '../../problems/problem.ts';
import { choosePlace, type Sources } from '../choose.ts';
import type { DialectOf } from '../dialects.ts';
import { run, type Runners } from '../run.ts';
import type { RowSource } from '../sources.ts';

/** What reading keys works with. */
export interface KeyReading {
  readonly runners: Runners;
  readonly organizationId: string;
  readonly context: Context & { readonly wholeModel: NonNullable<Context['wholeModel']> };
  readonly sources: Sources;
  readonly dialectOf: DialectOf;
  /** Keys that one list may have. */
  readonly mostKeys: number;
  readonly limits: { readonly bytes: number; readonly deadlineMs: number };
  readonly signal: AbortSignal;
}

/** Row filters whose lookups stay in one place as far as that is possible. */
export interface SentKeys {
  readonly rowFilters: ReadonlyMap<string, readonly RowFilter[]>;
  /** Datasets that lookups still reach beside those of the query. */
  readonly reached: ReadonlySet<string>;
  /** Whether a list would have been too long, so that rows are fetched instead. */
  readonly isTooLong: boolean;
}

/** Where a source computes: what is in one place can be asked for in one statement. */
function placeOf(datasetId: string, source: RowSource | undefined): string {
  switch (source?.kind) {
    case undefined:
    case 'version':
    case 'files':
      return 'engine';
    case 'sql':
      return `sql ${source.reached.account.id} ${source.reached.overriddenBy ?? ''}`;
    case 'plugin':
      return `plugin ${datasetId}`;
  }
}

const decoder = new TextDecoder();

/** The visible keys of a lookup as texts; null where there are too many, or their types are not sent. */
async function readKeys(
  reading: KeyReading,
  filter: LookupFilter,
): Promise<Omit<Extract<RowFilter, { kind: 'keys' }>, 'kind' | 'from'> | null | 'too long'> {
  const { context, sources, mostKeys, runners, organizationId, dialectOf, limits, signal } = reading;
  const planned = planKeys(filter, context, mostKeys);
  if (planned === null) return null;
  const ids = [filter.to.datasetId, ...reachedBy(filter.of)];
  const own: Sources = new Map([...sources].filter(([id]) => ids.includes(id)));
  const choice = choosePlace(planned.plan, context.wholeModel, own, dialectOf);
  const task = {
    ...{ organizationId, choice, sources: own, locale: 'en', lines: null },
    limits: { rowLimit: mostKeys, byteLimit: limits.bytes, deadlineMs: limits.deadlineMs },
  };
  const running = await run(runners, task, signal);
  const chunks: Uint8Array[] = [];
  for await (const chunk of running.chunks) chunks.push(chunk);
  if ((await running.summary()).truncated) return 'too long';
  const rows: Json = JSON.parse(`[${decoder.decode(Buffer.concat(chunks))}]`);
  const keys = (isList(rows) ? rows : []).map((row) => inWords(isList(row) ? row[0] : row));
  // In one order, so that a cached answer is found again.
  return { type: planned.type, keys: keys.toSorted() };
}

/** The datasets that filters look up, however far. */
const reachedBy = (filters: readonly RowFilter[]): readonly string[] =>
  filters.flatMap((filter) => {
    if (filter.kind === 'test' || filter.kind === 'keys') return [];
    return [...(filter.kind === 'lookup' ? [filter.to.datasetId] : []), ...reachedBy(filter.of)];
  });

/**
 * Row filters in which a lookup to a dataset in another place is the list of the keys that are visible there, read first:
 * the query runs where its own rows are, and they are not fetched. Raises what running a query raises.
 */
export async function sendKeys(
  reading: KeyReading,
  rowFilters: ReadonlyMap<string, readonly RowFilter[]>,
): Promise<SentKeys> {
  const { sources } = reading;
  const told = { isTooLong: false };
  const known = new Map<string, ReturnType<typeof readKeys>>();
  const keysOf = (filter: LookupFilter): ReturnType<typeof readKeys> => {
    const name = JSON.stringify(filter);
    const before = known.get(name) ?? readKeys(reading, filter);
    known.set(name, before);
    return before;
  };
  const sent = async (filter: RowFilter): Promise<RowFilter> => {
    if (filter.kind === 'test' || filter.kind === 'keys') return filter;
    const of: RowFilter[] = [];
    for (const one of filter.of) of.push(await sent(one));
    if (filter.kind !== 'lookup') return { ...filter, of };
    const [here, there] = [filter.from, filter.to].map(({ datasetId }) => placeOf(datasetId, sources.get(datasetId)));
    const inner = { ...filter, of };
    // A plugin is told single tests alone.
    if (here === there || here?.startsWith('plugin') === true) return inner;
    const found = await keysOf(inner);
    if (found === 'too long') told.isTooLong = true;
    return found === null || found === 'too long' ? inner : { kind: 'keys', from: filter.from, ...found };
  };
  const made = new Map<string, readonly RowFilter[]>();
  for (const [id, filters] of rowFilters) {
    const all: RowFilter[] = [];
    for (const one of filters) all.push(await sent(one));
    made.set(id, all);
  }
  return { rowFilters: made, reached: new Set(reachedBy([...made.values()].flat())), isTooLong: told.isTooLong };
}

/** The refusal of a query whose rows had to be fetched for the sake of a row filter. */
export const tooManyFetched = (): Problem =>
  new Problem('query_too_large', {
    message:
      'A row filter on a linked dataset in another place lets through too many keys to send them along, so that all rows would have to be fetched. Filter the dataset itself, or keep both datasets in one place.',
  });
