import type { Connector, FilesConnector, FilesReader, SqlConnector, SqlReader } from './connector.ts';
import type { DriverContext, FilesProvider, SqlProvider } from './provider.ts';
import { providerOf, providers } from './providers.ts';
import { checkSourceQuery } from './query/check-query.ts';
import { maxLeases, type Bulkhead } from './session/bulkhead.ts';
import { SessionPools } from './session/session-pool.ts';

export interface ConnectorsOptions extends Omit<DriverContext, 'pools'> {
  readonly bulkhead: Bulkhead;
  /** Maximum number of sessions per account. */
  readonly size: number;
  readonly now?: () => number;
}

/** The built-in connectors. Plugin connectors are created elsewhere. */
export interface Connectors {
  /** Returns the connector of a provider by its name or alias; undefined for other names. */
  of(provider: string): Connector | undefined;
  /** Number of open sessions. */
  count(): number;
  /** Returns the number of leased sessions plus the number of waiting callers. */
  held(): number;
  close(): void;
}

/** Returns a function that opens a driver with its first call. */
function opener<Reader>(open: () => Promise<Reader>): () => Promise<Reader> {
  let opened: Promise<Reader> | undefined;
  return () => (opened ??= open());
}

function sqlConnector(provider: SqlProvider, context: DriverContext): SqlConnector {
  const reader = opener<SqlReader>(() => provider.open(context));
  return {
    kind: 'sql',
    traits: provider,
    checkQuery: (text) => checkSourceQuery(text, provider.queryRules),
    test: async (params, signal) => (await reader()).test(params, signal),
    tables: async (params, signal) => (await reader()).tables(params, signal),
    describe: async (params, what, signal) => (await reader()).describe(params, what, signal),
    features: async (params, signal) => (await reader()).features(params, signal),
    foreignKeys: async (params, signal) => (await reader()).foreignKeys(params, signal),
    mayWrite: async (params, signal) => (await reader()).mayWrite(params, signal),
    run: async (params, statement, limits, signal) => (await reader()).run(params, statement, limits, signal),
    copy: async (params, statement, deadlineMs, signal) => {
      const { copy } = await reader();
      if (copy === undefined) throw new Error('this connector does not copy');
      return copy(params, statement, deadlineMs, signal);
    },
  };
}

function filesConnector(provider: FilesProvider, context: DriverContext): FilesConnector {
  const reader = opener<FilesReader>(() => provider.open(context));
  return {
    kind: 'files',
    test: async (params, signal) => (await reader()).test(params, signal),
    tables: async (params, signal) => (await reader()).tables(params, signal),
    describe: async (params, what, signal) => (await reader()).describe(params, what, signal),
    source: async (params, table) => (await reader()).source(params, table),
  };
}

/** Creates the connectors of all built-in providers. Each loads its driver with its first use. */
export function createConnectors(options: ConnectorsOptions): Connectors {
  const { bulkhead, size, now = Date.now } = options;
  const pools = new SessionPools({ bulkhead, size, waiting: 5000, total: maxLeases, idleMs: 30_000, now });
  const context = { ...options, pools };
  const connectors = new Map(
    providers.map((provider) => [
      provider.name,
      provider.kind === 'sql' ? sqlConnector(provider, context) : filesConnector(provider, context),
    ]),
  );
  return {
    of: (name) => connectors.get(providerOf(name)?.name ?? ''),
    count: () => pools.count(),
    held: () => pools.held(),
    close: () => pools.close(),
  };
}
