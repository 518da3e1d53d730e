import { join } from 'node:path';
import { connectCluster } from '../../packages/service/src/cluster/connect.ts';
import { Bulkhead } from '../../packages/service/src/connectors/session/bulkhead.ts';
import type { SharedEngines } from './shared-engines.ts';
import { trinoRows } from './trino.ts';

/** Creates a schema in the catalog `lake`, and returns the settings with which a service uses it. */
export async function clusterSettings(
  { trino, lake }: SharedEngines,
  schema: string,
  port: number | string = new URL(trino).port,
): Promise<Readonly<Record<string, string>>> {
  await trinoRows(trino, `create schema if not exists lake.${schema}`);
  return {
    INLAY_CLUSTER: `trino://inlay@127.0.0.1:${port}/lake/${schema}`,
    INLAY_CLUSTER_FILES: join(lake, schema),
    INLAY_CLUSTER_LOCATION: `local:///${schema}`,
  };
}

/** Connects to the cluster as a service does. */
export function openCluster({ trino }: SharedEngines, schema: string): ReturnType<typeof connectCluster> {
  const { hostname: host, port } = new URL(trino);
  const address = { host, port, user: 'inlay', catalog: 'lake', schema, ssl: 'disable' };
  return connectCluster(address, undefined, new Bulkhead(100, () => performance.now()));
}

/** Names of the tables in a schema of the catalog `lake`. */
export const tablesIn = async ({ trino }: SharedEngines, schema: string): Promise<readonly string[]> =>
  (
    await trinoRows(trino, `select table_name from lake.information_schema.tables where table_schema = '${schema}'`)
  ).map(([name]) => String(name));
