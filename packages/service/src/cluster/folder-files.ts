import { access, constants, mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Problem } from '../problems/problem.ts';
import type { PublicationKey } from './publication-names.ts';
import { addressOf, pathOf, type FilesFault, type PublishedFiles } from './published-files.ts';

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

/** Files of publications in a folder that the cluster reads. */
export class FolderFiles implements PublishedFiles {
  readonly #folder: string;
  readonly #location: string;
  readonly #store: string;

  /** `location` is the address of `folder` at the cluster; `store` is the name of this store. */
  constructor(folder: string, location: string, store: string) {
    this.#folder = folder;
    this.#location = location;
    this.#store = store;
  }

  /** The cluster may read the folder as another user. */
  async write<Result>(key: PublicationKey, fill: (folder: string) => Promise<Result>): Promise<Result> {
    const folder = this.#folderOf(key);
    try {
      await mkdir(folder, { recursive: true, mode: 0o755 });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      throw new Problem('source_failed', { message: `The folder INLAY_CLUSTER_FILES cannot be written${code}.` });
    }
    return fill(folder);
  }

  locationOf(key: PublicationKey): string {
    return addressOf(this.#location, this.#store, key);
  }

  /** Also deletes the folders of the dataset and the organization if they are then empty. */
  async remove(key: PublicationKey): Promise<void> {
    const folder = this.#folderOf(key);
    await rm(folder, { recursive: true, force: true });
    for (const parent of [dirname(folder), dirname(dirname(folder))]) await rmdir(parent).catch(() => undefined);
  }

  async list(): Promise<readonly PublicationKey[]> {
    const root = join(this.#folder, this.#store);
    const keys: PublicationKey[] = [];
    for (const organizationId of await namesIn(root))
      for (const folder of await namesIn(join(root, organizationId)))
        for (const id of await namesIn(join(root, organizationId, folder))) keys.push({ organizationId, folder, id });
    return keys;
  }

  async check(): Promise<FilesFault | null> {
    try {
      await access(this.#folder, constants.W_OK | constants.X_OK);
      return null;
    } catch {
      return {
        problem: `the folder ${this.#folder} cannot be written`,
        fix: 'Mount it, and make the service user its owner; the nodes of the cluster only read it.',
      };
    }
  }

  #folderOf(key: PublicationKey): string {
    return join(this.#folder, pathOf(this.#store, key));
  }
}
