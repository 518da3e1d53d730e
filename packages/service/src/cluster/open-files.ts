import { resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import type { ClusterFiles } from '../config/setting-kinds.ts';
import { fetchFrom } from '../outbound/index.ts';
import { FolderFiles } from './folder-files.ts';
import type { PublishedFiles } from './published-files.ts';

/** The settings of the files of publications. */
export type FilesConfig = Pick<
  Config,
  | 'clusterFiles'
  | 'clusterLocation'
  | 'clusterS3Endpoint'
  | 'clusterS3Region'
  | 'clusterS3KeyId'
  | 'clusterS3SecretKey'
  | 'dataDir'
>;

/** Returns the local folder of files that are not uploaded yet. */
export const publishingFolder = (dataDir: string): string => resolve(dataDir, 'work', 'publications');

const defaultRegion = 'us-east-1';

async function bucketFiles(
  { bucket, prefix }: Extract<ClusterFiles, { readonly kind: 's3' }>,
  config: FilesConfig,
  store: string,
): Promise<PublishedFiles> {
  const [{ Bucket }, { BucketFiles }] = await Promise.all([import('../s3/bucket.ts'), import('./bucket-files.ts')]);
  const { clusterS3Region: region = defaultRegion, clusterLocation: location = `s3://${bucket}/${prefix}` } = config;
  const endpoint = config.clusterS3Endpoint ?? `https://s3.${region}.amazonaws.com`;
  const access = {
    endpoint,
    region,
    bucket,
    keyId: config.clusterS3KeyId ?? '',
    secretKey: config.clusterS3SecretKey ?? '',
  };
  const place = { prefix, location, workFolder: publishingFolder(config.dataDir) };
  return new BucketFiles(new Bucket(access, { outbound: fetchFrom(endpoint), now: Date.now }), place, store);
}

/** Returns the files of the publications of a store at the place that the settings name. */
export async function openPublishedFiles(config: FilesConfig, store: string): Promise<PublishedFiles> {
  const { clusterFiles } = config;
  if (clusterFiles === undefined) throw new Error('there is no place for files of a cluster');
  if (clusterFiles.kind === 's3') return bucketFiles(clusterFiles, config, store);
  const { path } = clusterFiles;
  return new FolderFiles(path, config.clusterLocation ?? `file://${path}`, store);
}
