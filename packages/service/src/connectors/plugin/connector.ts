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
import { datasetsOf, keptOf, type PluginDataset } from './datasets.ts';
import { PluginFault, type PluginFaultKind } from './fault.ts';
import { hintsOf } from './hints.ts';
import { readRows } from './json-rows.ts';
import type { CallOptions, Plugins } from './plugin.ts';
import { datasetsCall, queryCall, settingsOf, type PluginReach } from './protocol.ts';
import { rollUp } from './roll-up.ts';
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

/** A fault of a plugin in words that name it; anything else is passed on. */
const sourceProblemOf = (name: string, error: unknown): unknown =>
  error instanceof PluginFault
    ? new SourceProblem(causeOf[error.kind], `The plugin "${name}" ${error.message}.`)
    : error;

/** What an account tells its plugin. Raises SourceProblem `settings`. */
function pluginReach(params: ConnectionParams): PluginReach {
  if (params.plugin === undefined) throw new SourceProblem('settings', 'The connection names no plugin.');
  const { target, user } = params.plugin;
  if (!URL.canParse(target.baseUrl))
    throw new SourceProblem('settings', `The plugin "${target.name}" has no base_url yet.`);
  const { host, identifier, token, properties } = params;
  return { ...target, host, key: identifier, token, properties: settingsOf(properties), user };
}

/** Largest listing of tables, and how long one may take and is kept, in milliseconds. */
const listing = { maxBytes: 16_000_000, deadlineMs: 15_000 } as const;
const keptMs = 30_000;
const mostKept = 200;

/** The last listings, so that a query does not cost two calls; who asks with other credentials shares none. */
function createListings(plugins: Plugins, now: () => number) {
  const held = new Map<string, { readonly at: number; readonly datasets: Promise<readonly PluginDataset[]> }>();
  const keyOf = (reach: PluginReach, { organizationId }: CallOptions): string =>
    createHash('sha256')
      .update(JSON.stringify([organizationId, datasetsCall(reach), reach.user]))
      .digest('base64url');
  return {
    async read(reach: PluginReach, options: CallOptions): Promise<readonly PluginDataset[]> {
      const datasets = datasetsOf(await plugins.json(datasetsCall(reach), options));
      held.set(keyOf(reach, options), { at: now(), datasets: Promise.resolve(datasets) });
      for (const [key, { at }] of held) if (held.size > mostKept || now() - at > keptMs) held.delete(key);
      return datasets;
    },
    async recent(reach: PluginReach, options: CallOptions): Promise<readonly PluginDataset[]> {
      const kept = held.get(keyOf(reach, options));
      return kept !== undefined && now() - kept.at <= keptMs ? kept.datasets : this.read(reach, options);
    },
    forget: (reach: PluginReach, options: CallOptions): void => {
      held.delete(keyOf(reach, options));
    },
  };
}

function find(datasets: readonly PluginDataset[], table: string): PluginDataset {
  const dataset = datasets.find(({ id }) => id === table);
  if (dataset === undefined) throw new PluginFault('missing', `lists no dataset ${JSON.stringify(table)}`);
  return dataset;
}

const words = (texts: Readonly<Record<string, string>>, instead: string): string =>
  texts['en'] ?? Object.values(texts)[0] ?? instead;

/** Batches of checked rows within the limits. */
async function* rowsOf(
  body: AsyncIterable<Uint8Array>,
  columns: readonly RowColumn[],
  limits: RunLimits,
  isOneRow: boolean,
): AsyncGenerator<readonly (readonly Scalar[])[], void, undefined> {
  let count = 0;
  for await (const batch of readRows(body)) {
    const rows = batch.map((row, index) => rowOf(row, columns, count + index));
    count += rows.length;
    // Cut off, they would give wrong sums without a word.
    if (count > limits.rowLimit) throw new PluginFault('limit', `answers more than ${limits.rowLimit} rows`);
    yield rows;
  }
  if (isOneRow && count !== 1)
    throw new PluginFault('shape', `answers ${count} rows where there is one group, that of all rows`);
}

/** What a plugin answers, or, where it refuses the request before the first byte, what it answers to another. */
async function* orElse(
  body: AsyncIterable<Uint8Array>,
  other: () => AsyncIterable<Uint8Array>,
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
    yield* other();
  }
}

/** The connector of plugins (plugin protocol): what they answer is checked before anything is made of it. */
export function createPluginConnector(plugins: Plugins, now: () => number, turn: Turn): PluginConnector {
  const listings = createListings(plugins, now);
  const named = async <Result>(
    params: ConnectionParams,
    work: (reach: PluginReach) => Promise<Result>,
  ): Promise<Result> => {
    const told = pluginReach(params);
    try {
      return await work(told);
    } catch (error) {
      throw sourceProblemOf(told.name, error);
    }
  };
  const listingOptions = ({ organizationId, traceparent }: ConnectionParams, signal: AbortSignal): CallOptions => ({
    organizationId,
    signal,
    traceparent,
    ...listing,
  });

  const open = async (
    told: PluginReach,
    params: ConnectionParams,
    { table, filters, groups }: PluginRequest,
    limits: RunLimits,
    signal: AbortSignal,
  ): Promise<PluginAnswer> => {
    const listed = listingOptions(params, signal);
    const columns =
      groups === null
        ? find(await listings.recent(told, listed), table).columns.map((one) => ({ ...one, kept: keptOf(one) }))
        : groups.columns;
    const asked = groups === null ? columns.map(({ id }) => ({ column_id: id })) : groups.groups;
    const { organizationId, traceparent } = params;
    const options = { organizationId, signal, traceparent, deadlineMs: limits.deadlineMs, maxBytes: limits.byteLimit };
    const ask = (sent: PluginRequest['filters']): AsyncIterable<Uint8Array> =>
      plugins.body(
        queryCall(told, { id: table, columns: asked, filters: sent, options: { pushdown: groups !== null } }),
        options,
      );
    // Row filters are only hints, since they are applied again to the rows: if a plugin refuses a request with filters, it is sent without.
    const body = groups === null && filters.length > 0 ? orElse(ask(filters), () => ask([])) : ask(filters);
    const isOneRow = groups !== null && groups.groups.every(({ aggregation }) => aggregation !== undefined);
    const rows = rowsOf(inTurns(body, turn), columns, limits, isOneRow);
    const next = async (): Promise<Awaited<ReturnType<typeof rows.next>>> => {
      try {
        return await rows.next();
      } catch (error) {
        // A table that changed shape since it was listed is listed again by the next query.
        if (error instanceof PluginFault && error.kind === 'shape') listings.forget(told, listed);
        throw sourceProblemOf(told.name, error);
      }
    };
    // The first rows are waited for, so that what fails at once fails before anything is answered.
    const first = await next();
    const all = async function* all(): AsyncGenerator<readonly (readonly Scalar[])[], void, undefined> {
      try {
        for (let read = first; read.done !== true; read = await next()) yield read.value;
      } finally {
        await rows.return();
      }
    };
    return { columns: columns.map(({ id, kept }) => ({ name: id, kept })), rows: all(), truncated: () => false };
  };

  return {
    kind: 'plugin',
    name: 'plugin',
    dialect: null,
    label: 'Plugin',
    description: 'A web service of one’s own that speaks the plugin protocol.',
    properties: {},
    hints: hintsOf,
    rollUp,
    test: async (params, signal) => {
      try {
        const told = pluginReach(params);
        return stagesOf(told, await listings.read(told, listingOptions(params, signal)));
      } catch (error) {
        return stagesOf(params.plugin?.target, sourceProblemOf(params.plugin?.target.name ?? '', error));
      }
    },
    tables: (params, signal) =>
      named(params, async (told) =>
        (await listings.read(told, listingOptions(params, signal))).map(({ id, name }) => ({
          id,
          name: words(name, id),
          schema: null,
          kind: 'dataset',
          rows: null,
        })),
      ),
    describe: (params, what, signal) =>
      named(params, async (told) => {
        if (!('table' in what)) throw new SourceProblem('query', 'A plugin has no query language.');
        const { columns } = find(await listings.read(told, listingOptions(params, signal)), what.table);
        return columns.map((column): SourceColumn => {
          const { id, name, type, subtype } = column;
          return { name: id, label: name, kept: keptOf(column), type, subtype, nullable: true, native: type };
        });
      }),
    fetch: (params, request, limits, signal) => named(params, (told) => open(told, params, request, limits, signal)),
  };
}
