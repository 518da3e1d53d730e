import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { connectCluster } from '../../packages/service/src/cluster/connect.ts';
import { Bulkhead } from '../../packages/service/src/connectors/session/bulkhead.ts';
import { fetchFrom } from '../../packages/service/src/outbound/index.ts';
import { Bucket } from '../../packages/service/src/s3/bucket.ts';
import { never } from './engine.ts';
import type { ObjectStore } from './seaweedfs.ts';
import type { SharedEngines } from './shared-engines.ts';
import { trinoRows } from './trino.ts';

/** Catalogs of the cluster, by where the files of their tables are: `lake` in a folder, `objects` in an object store. */
export const catalogs = ['lake', 'objects'] as const;
export type Catalog = (typeof catalogs)[number];

/** Settings of a service whose files are in an object store. */
export const objectSettings = (
  { endpoint, keyId, secretKey, bucket }: ObjectStore,
  prefix: string,
): Readonly<Record<string, string>> => ({
  INLAY_CLUSTER_FILES: `s3://${bucket}/${prefix}`,
  INLAY_CLUSTER_S3_ENDPOINT: endpoint,
  INLAY_CLUSTER_S3_KEY_ID: keyId,
  INLAY_CLUSTER_S3_SECRET_KEY: secretKey,
});

/** Creates a schema in a catalog, and returns the settings with which a service uses it. */
export async function clusterSettings(
  { trino, lake, objects }: SharedEngines,
  schema: string,
  port: number | string = new URL(trino).port,
  catalog: Catalog = 'lake',
): Promise<Readonly<Record<string, string>>> {
  await trinoRows(trino, `create schema if not exists ${catalog}.${schema}`);
  const folder = { INLAY_CLUSTER_FILES: join(lake, schema), INLAY_CLUSTER_LOCATION: `local:///${schema}` };
  return {
    INLAY_CLUSTER: `trino://inlay@127.0.0.1:${port}/${catalog}/${schema}`,
    ...(catalog === 'lake' ? folder : objectSettings(objects, schema)),
  };
}

/** Connects to the cluster as a service does. */
export function openCluster(
  { trino }: SharedEngines,
  schema: string,
  catalog: Catalog = 'lake',
): ReturnType<typeof connectCluster> {
  const { hostname: host, port } = new URL(trino);
  const address = { host, port, user: 'inlay', catalog, schema, ssl: 'disable' };
  return connectCluster(address, undefined, new Bulkhead(100, () => performance.now()));
}

/** Names of the tables in a schema of a catalog. */
export const tablesIn = async (
  { trino }: Pick<SharedEngines, 'trino'>,
  schema: string,
  catalog: Catalog = 'lake',
): Promise<readonly string[]> =>
  (
    await trinoRows(
      trino,
      `select table_name from ${catalog}.information_schema.tables where table_schema = '${schema}'`,
    )
  ).map(([name]) => String(name));

/** Paths of the files of all publications in a schema. */
export async function publishedIn(
  { lake, objects }: Pick<SharedEngines, 'lake' | 'objects'>,
  schema: string,
  catalog: Catalog,
): Promise<readonly string[]> {
  if (catalog === 'lake')
    return readdirSync(join(lake, schema), { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.parquet'),
    );
  const access = { ...objects, region: 'us-east-1' };
  const bucket = new Bucket(access, { outbound: fetchFrom(objects.endpoint), now: Date.now });
  return bucket.list(`${schema}/`, never);
}
