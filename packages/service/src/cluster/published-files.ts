import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Problem } from '../problems/problem.ts';
import type { PublicationKey } from './publication-names.ts';

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

/** The files of publications, in a folder that the cluster reads: `<store>/<organization>/<dataset>/<publication>/`. */
export class PublishedFiles {
  readonly #root: string;
  readonly #location: string;

  /** `location` is the address of `folder` at the cluster; `store` is the name of this store. */
  constructor(folder: string, location: string, store: string) {
    this.#root = join(folder, store);
    this.#location = `${location.replace(/\/$/u, '')}/${store}`;
  }

  /**
   * Creates the folder of a publication and returns its path. The cluster may read it as another user. Raises Problem
   * `source_failed`.
   */
  async create(key: PublicationKey): Promise<string> {
    const folder = this.#folderOf(key);
    try {
      await mkdir(folder, { recursive: true, mode: 0o755 });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      throw new Problem('source_failed', { message: `The folder INLAY_CLUSTER_FILES cannot be written${code}.` });
    }
    return folder;
  }

  /** Returns the address of the folder of a publication at the cluster. */
  locationOf({ organizationId, folder, id }: PublicationKey): string {
    return `${this.#location}/${organizationId}/${folder}/${id}`;
  }

  /** Deletes the files of a publication, and the folders of its dataset and organization if they are then empty. */
  async remove(key: PublicationKey): Promise<void> {
    const folder = this.#folderOf(key);
    await rm(folder, { recursive: true, force: true });
    for (const parent of [dirname(folder), dirname(dirname(folder))]) await rmdir(parent).catch(() => undefined);
  }

  /** Lists the publications that have a folder. */
  async list(): Promise<readonly PublicationKey[]> {
    const keys: PublicationKey[] = [];
    for (const organizationId of await namesIn(this.#root))
      for (const folder of await namesIn(join(this.#root, organizationId)))
        for (const id of await namesIn(join(this.#root, organizationId, folder)))
          keys.push({ organizationId, folder, id });
    return keys;
  }

  #folderOf({ organizationId, folder, id }: PublicationKey): string {
    return join(this.#root, organizationId, folder, id);
  }
}
