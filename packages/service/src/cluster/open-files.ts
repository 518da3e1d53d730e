import type { Config } from '../config/config.ts';
import { FolderFiles } from './folder-files.ts';
import type { PublishedFiles } from './published-files.ts';

/** The settings of the files of publications. */
export type FilesConfig = Pick<Config, 'clusterFiles' | 'clusterLocation'>;

/** Returns the files of the publications of a store at the place that the settings name. */
export async function openPublishedFiles(
  { clusterFiles, clusterLocation }: FilesConfig,
  store: string,
): Promise<PublishedFiles> {
  if (clusterFiles === undefined) throw new Error('there is no place for files of a cluster');
  return new FolderFiles(clusterFiles, clusterLocation ?? `file://${clusterFiles}`, store);
}
