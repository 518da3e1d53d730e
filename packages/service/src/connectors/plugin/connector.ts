import { createHash } from 'node:crypto';
import type { Scalar } from '@inlay/query';
import { inTurns, type Turn } from '../../concurrency/turns.ts';
import type {
  PluginAnswer,
  PluginConnector,
  PluginRequest,
  ConnectionParams,
  RunLimits,
  SourceColumn,
} from '../connector.ts';
import { SourceProblem, type SourceCause } from '../problem.ts';
import { datasetsOf, storageTypeOf, type PluginDataset } from './datasets.ts';
import { PluginFault, type PluginFaultKind } from './fault.ts';
import { hintsOf } from './hints.ts';
import { readRows } from './json-rows.ts';
import type { CallOptions, Plugins } from './plugin.ts';
import { datasetsCall, queryCall, settingsOf, type PluginReach } from './protocol.ts';
import { rollUp, type RollUp } from './roll-up.ts';
import { rowOf, type RowColumn } from './rows.ts';
import { stagesOf } from './check/stages.ts';

const causeOf: Readonly<Record<PluginFaultKind, SourceCause>> = {
  credentials: 'credentials',
  missing: 'missing',
  https: 'tls',
  redirect: 'failed',
  status: 'failed',
  shape: 'failed',
  limit: 'failed',
  timeout: 'timeout',
  unreachable: 'refused',
  aborted: 'aborted',
  busy: 'busy',
  resting: 'unavailable',
};

/** Converts a fault of a plugin to a SourceProblem that names the plugin; returns other errors unchanged. */
const sourceProblemOf = (name: string, error: unknown): unknown =>
  error instanceof PluginFault
    ? new SourceProblem(causeOf[error.kind], `The plugin "${name}" ${error.message}.`)
    : error;

/** Returns the plugin of an account with the values that every call sends. Raises SourceProblem `settings`. */
function pluginReach(params: ConnectionParams): PluginReach {
  if (params.plugin === undefined) throw new SourceProblem('settings', 'The connection names no plugin.');
  const { target, user } = params.plugin;
  if (!URL.canParse(target.baseUrl))
    throw new SourceProblem('settings', `The plugin "${target.name}" has no base_url yet.`);
  const { host, identifier, token, properties } = params;
  return { ...target, host, key: identifier, token, properties: settingsOf(properties), user };
}

/** Limits for listing the tables of a plugin. */
const listing = { maxBytes: 16_000_000, deadlineMs: 15_000 } as const;
/** `recentMs`: how long a listing is cached, in ms. `maxRecent`: how many listings are cached. */
const recentMs = 30_000;
const maxRecent = 200;

/**
 * Cache of table listings, so that most queries need no listing of their own. Only callers with the same organization,
 * credentials and user share a listing.
 */
class Listings {
  readonly #plugins: Plugins;
  readonly #now: () => number;
  readonly #recent = new Map<string, { readonly at: number; readonly datasets: readonly PluginDataset[] }>();

  constructor(plugins: Plugins, now: () => number) {
    this.#plugins = plugins;
    this.#now = now;
  }

  async read(reach: PluginReach, options: CallOptions): Promise<readonly PluginDataset[]> {
    const datasets = datasetsOf(await this.#plugins.json(datasetsCall(reach), options));
    this.#recent.set(this.#keyOf(reach, options), { at: this.#now(), datasets });
    for (const [key, { at }] of this.#recent)
      if (this.#recent.size > maxRecent || !this.#isRecent(at)) this.#recent.delete(key);
    return datasets;
  }

  async recent(reach: PluginReach, options: CallOptions): Promise<readonly PluginDataset[]> {
    const recentEntry = this.#recent.get(this.#keyOf(reach, options));
    return recentEntry !== undefined && this.#isRecent(recentEntry.at)
      ? recentEntry.datasets
      : this.read(reach, options);
  }

  forget(reach: PluginReach, options: CallOptions): void {
    this.#recent.delete(this.#keyOf(reach, options));
  }

  #isRecent(at: number): boolean {
    return this.#now() - at <= recentMs;
  }

  #keyOf(reach: PluginReach, { organizationId }: CallOptions): string {
    return createHash('sha256')
      .update(JSON.stringify([organizationId, datasetsCall(reach), reach.user]))
      .digest('base64url');
  }
}

function find(datasets: readonly PluginDataset[], table: string): PluginDataset {
  const dataset = datasets.find(({ id }) => id === table);
  if (dataset === undefined) throw new PluginFault('missing', `lists no dataset ${JSON.stringify(table)}`);
  return dataset;
}

const textIn = (texts: Readonly<Record<string, string>>, fallback: string): string =>
  texts['en'] ?? Object.values(texts)[0] ?? fallback;

type CheckedRows = AsyncGenerator<readonly (readonly Scalar[])[], void, undefined>;

/** Yields batches of checked rows. Raises PluginFault if the rows exceed a limit. */
async function* rowsOf(
  body: AsyncIterable<Uint8Array>,
  columns: readonly RowColumn[],
  limits: RunLimits,
  isOneRow: boolean,
): CheckedRows {
  let count = 0;
  for await (const batch of readRows(body)) {
    const rows = batch.map((row, index) => rowOf(row, columns, count + index));
    count += rows.length;
    // Fails instead of truncating, since sums over truncated rows would be wrong.
    if (count > limits.rowLimit) throw new PluginFault('limit', `answers more than ${limits.rowLimit} rows`);
    yield rows;
  }
  if (isOneRow && count !== 1)
    throw new PluginFault('shape', `answers ${count} rows where there is one group, that of all rows`);
}

/**
 * Streams a body. If the plugin refuses the request before the first byte, sends the fallback request and streams its
 * body instead.
 */
async function* orElse(
  body: AsyncIterable<Uint8Array>,
  openFallback: () => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let isBegun = false;
  try {
    for await (const chunk of body) {
      isBegun = true;
      yield chunk;
    }
  } catch (error) {
    const isRefusal = error instanceof PluginFault && (error.kind === 'status' || error.kind === 'missing');
    if (isBegun || !isRefusal) throw error;
    yield* openFallback();
  }
}

const listingOptions = ({ organizationId, traceparent }: ConnectionParams, signal: AbortSignal): CallOptions => ({
  organizationId,
  signal,
  traceparent,
  ...listing,
});

/** Reads rows and tables from plugins. Raises SourceProblem that names the plugin. */
class PluginReader {
  readonly #plugins: Plugins;
  readonly #turn: Turn;
  readonly #listings: Listings;

  constructor(plugins: Plugins, now: () => number, turn: Turn) {
    this.#plugins = plugins;
    this.#turn = turn;
    this.#listings = new Listings(plugins, now);
  }

  async test(params: ConnectionParams, signal: AbortSignal): ReturnType<PluginConnector['test']> {
    try {
      const reach = pluginReach(params);
      return stagesOf(reach, await this.#listings.read(reach, listingOptions(params, signal)));
    } catch (error) {
      return stagesOf(params.plugin?.target, sourceProblemOf(params.plugin?.target.name ?? '', error));
    }
  }

  list(params: ConnectionParams, signal: AbortSignal): Promise<readonly PluginDataset[]> {
    return this.#named(params, (reach) => this.#listings.read(reach, listingOptions(params, signal)));
  }

  describe(params: ConnectionParams, table: string, signal: AbortSignal): Promise<PluginDataset> {
    return this.#named(params, async (reach) =>
      find(await this.#listings.read(reach, listingOptions(params, signal)), table),
    );
  }

  fetch(
    params: ConnectionParams,
    request: PluginRequest,
    limits: RunLimits,
    signal: AbortSignal,
  ): Promise<PluginAnswer> {
    return this.#named(params, async (reach) => {
      const callOptions = listingOptions(params, signal);
      const columns = await this.#columnsOf(reach, request, callOptions);
      const { groups } = request;
      const isOneRow = groups !== null && groups.groups.every(({ aggregation }) => aggregation !== undefined);
      const body = this.#bodyOf(reach, params, request, columns, limits, signal);
      const rows = rowsOf(inTurns(body, this.#turn), columns, limits, isOneRow);
      return {
        columns: columns.map(({ id, storageType }) => ({ name: id, storageType })),
        rows: await this.#begun(reach, rows, callOptions),
        truncated: () => false,
      };
    });
  }

  async #named<Result>(params: ConnectionParams, work: (reach: PluginReach) => Promise<Result>): Promise<Result> {
    const reach = pluginReach(params);
    try {
      return await work(reach);
    } catch (error) {
      throw sourceProblemOf(reach.name, error);
    }
  }

  /** Returns the columns of the answer: those of the requested groups, otherwise all columns of the table. */
  async #columnsOf(
    reach: PluginReach,
    { table, groups }: PluginRequest,
    callOptions: CallOptions,
  ): Promise<RollUp['columns']> {
    if (groups !== null) return groups.columns;
    const { columns } = find(await this.#listings.recent(reach, callOptions), table);
    return columns.map((column) => ({ ...column, storageType: storageTypeOf(column) }));
  }

  #bodyOf(
    reach: PluginReach,
    { organizationId, traceparent }: ConnectionParams,
    { table, filters, groups }: PluginRequest,
    columns: readonly RowColumn[],
    limits: RunLimits,
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array> {
    const selectedColumns = groups === null ? columns.map(({ id }) => ({ column_id: id })) : groups.groups;
    const options = { organizationId, signal, traceparent, deadlineMs: limits.deadlineMs, maxBytes: limits.byteLimit };
    const pushdown = groups !== null;
    const send = (sent: PluginRequest['filters']): AsyncIterable<Uint8Array> =>
      this.#plugins.body(
        queryCall(reach, { id: table, columns: selectedColumns, filters: sent, options: { pushdown } }),
        options,
      );
    // If the plugin refuses a request with filters, retries without filters: they are only hints, and the engine
    // applies the conditions again.
    return !pushdown && filters.length > 0 ? orElse(send(filters), () => send([])) : send(filters);
  }

  /** Waits for the first rows, so that an immediate failure is raised before the answer of the service starts. */
  async #begun(reach: PluginReach, rows: CheckedRows, callOptions: CallOptions): Promise<CheckedRows> {
    const nextRows = async (): ReturnType<CheckedRows['next']> => {
      try {
        return await rows.next();
      } catch (error) {
        // The columns of the table have probably changed since they were listed, so the next query lists them again.
        if (error instanceof PluginFault && error.kind === 'shape') this.#listings.forget(reach, callOptions);
        throw sourceProblemOf(reach.name, error);
      }
    };
    const firstResult = await nextRows();
    return (async function* all(): CheckedRows {
      try {
        for (let result = firstResult; result.done !== true; result = await nextRows()) yield result.value;
      } finally {
        await rows.return();
      }
    })();
  }
}

/** Creates the connector for plugins. It checks all answers of plugins before it uses them. */
export function createPluginConnector(plugins: Plugins, now: () => number, turn: Turn): PluginConnector {
  const reader = new PluginReader(plugins, now, turn);
  return {
    kind: 'plugin',
    hints: hintsOf,
    rollUp,
    test: (params, signal) => reader.test(params, signal),
    tables: async (params, signal) =>
      (await reader.list(params, signal)).map(({ id, name }) => ({
        id,
        name: textIn(name, id),
        schema: null,
        kind: 'dataset',
        rows: null,
      })),
    describe: async (params, what, signal) => {
      // Raises an error early if the account has no plugin.
      pluginReach(params);
      if (!('table' in what)) throw new SourceProblem('query', 'A plugin has no query language.');
      const { columns } = await reader.describe(params, what.table, signal);
      return columns.map((column): SourceColumn => {
        const { id, name, type, subtype } = column;
        return {
          name: id,
          label: name,
          storageType: storageTypeOf(column),
          type,
          subtype,
          nullable: true,
          native: type,
        };
      });
    },
    fetch: (params, request, limits, signal) => reader.fetch(params, request, limits, signal),
  };
}
