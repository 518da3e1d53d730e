import type { Config } from '../config/config.ts';
import type { SourceRows } from '../connectors/connector.ts';
import { createConnectors } from '../connectors/index.ts';
import type { Bulkhead } from '../connectors/session/bulkhead.ts';
import type { Cluster } from '../data/cluster/cluster.ts';
import { outboundTo } from '../outbound/index.ts';

/** The schema of a cluster that this service manages. */
export interface ClusterSchema {
  readonly catalog: string;
  readonly schema: string;
  /** Runs a statement that may create or drop tables. Raises SourceProblem. */
  readonly execute: (text: string, signal: AbortSignal) => Promise<SourceRows>;
}

/** The connection of this service to its cluster. */
export interface ClusterConnection extends Cluster, ClusterSchema {}

/** Maximum number of queries that one organization runs at the cluster. */
const maxQueries = 20;
const statementMs = 60_000;
/**
 * A coordinator answers each request within about a second, however long the statement runs. If it does not, the engine
 * answers the query.
 */
const answerS = 5;

/**
 * Connects to the cluster that the settings name. The connection reaches the host of the cluster and nothing else.
 * Nothing is sent before the first query.
 */
export function connectCluster(
  { host, port, user, catalog, schema, ssl }: NonNullable<Config['cluster']>,
  password: string | undefined,
  bulkhead: Bulkhead,
): ClusterConnection & { readonly close: () => Promise<void> } {
  const outbound = outboundTo(host, Number(port));
  const connectors = createConnectors({
    outbound,
    bulkhead,
    size: maxQueries,
    filesDir: undefined,
    describe: () => Promise.reject(new Error('a cluster has no files')),
  });
  const connector = connectors.of('trino');
  if (connector?.kind !== 'sql') throw new Error('there is no connector for clusters');
  const params = {
    accountId: 'cluster',
    organizationId: '',
    host,
    port,
    scope: catalog,
    identifier: user,
    token: password ?? null,
    properties: { schema, ssl, connect_timeout: answerS },
    answerMs: answerS * 1000,
  };
  return {
    connector,
    params,
    catalog,
    schema,
    execute: async (text, signal) => {
      const { runOwnStatement } = await import('../connectors/trino/own-statement.ts');
      return runOwnStatement(outbound, params, text, statementMs, signal);
    },
    close: async () => {
      connectors.close();
      await outbound.close();
    },
  };
}
