import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { callOnce } from '../../concurrency/release.ts';
import type { EngineTable } from '../engine.ts';
import { checksumPath } from './checksums.ts';
import { partsOf, partsPath } from './parts.ts';

/**
 * Name of the folder, next to the folders of tenants, where running backups create hard links to the files of versions.
 */
export const backupFolder = '.backup';

const safeName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/u;

function nameOf(text: string): string {
  if (!safeName.test(text)) throw new RangeError('an id that cannot name a file');
  return text;
}

/** Size of a file in bytes; 0 if it does not exist. */
export const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Total size of the files of a version in bytes. */
export const sizeOfAll = async (path: string): Promise<number> =>
  (await Promise.all(partsOf(path).map(sizeOf))).reduce((sum, size) => sum + size, 0);

/** Manages the dataset versions in a folder: `<tenant>/<dataset>/<version>.duckdb`. */
export class VersionFiles {
  readonly #root: string;
  readonly #readers = new Map<string, number>();
  /** Files to delete once no statement reads them. */
  readonly #unwanted = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Returns the folder of a tenant's datasets, the only folder that the children of this tenant may open. */
  folder(tenant: string): string {
    return join(this.#root, nameOf(tenant));
  }

  path(tenant: string, datasetId: string, version: string): string {
    return join(this.folder(tenant), nameOf(datasetId), `${nameOf(version)}.duckdb`);
  }

  /**
   * Protects the files of tables from deletion while a statement reads them. Call the returned function when the
   * statement ends.
   */
  reading(tables: readonly EngineTable[]): () => void {
    const paths = tables.flatMap(({ source }) => (source.kind === 'file' ? partsOf(source.path) : []));
    for (const path of paths) this.#count(path, 1);
    return callOnce(() => {
      for (const path of paths) this.#count(path, -1);
    });
  }

  /**
   * Returns the size in bytes of a tenant's versions, including unfinished ones. `exceptDatasetId` excludes the
   * versions of a dataset.
   */
  async used(tenant: string, exceptDatasetId: string | null): Promise<number> {
    let bytes = 0;
    for (const id of await readdir(this.folder(tenant)).catch(() => [])) {
      if (id === exceptDatasetId) continue;
      const datasetFolder = join(this.folder(tenant), id);
      const sizes = (await readdir(datasetFolder).catch(() => [])).map((name) => sizeOf(join(datasetFolder, name)));
      for (const size of await Promise.all(sizes)) bytes += size;
    }
    return bytes;
  }

  async keep(tenant: string, datasetId: string, versions: readonly string[]): Promise<void> {
    const datasetFolder = join(this.folder(tenant), nameOf(datasetId));
    const namedFiles = versions.map((version) => join(datasetFolder, `${nameOf(version)}.duckdb`));
    const newest = namedFiles.toSorted().at(-1);
    const neededFiles = new Set(namedFiles.flatMap(partsOf));
    for (const path of await this.#versionsIn(datasetFolder)) {
      if (neededFiles.has(path)) this.#unwanted.delete(path);
      else if (newest === undefined || path <= newest) await this.#removeUnread(path);
    }
    if (versions.length === 0 && ![...this.#unwanted].some((path) => path.startsWith(`${datasetFolder}/`)))
      await rm(datasetFolder, { recursive: true, force: true });
  }

  async drop(tenant: string, datasetId: string, version: string): Promise<boolean> {
    const path = this.path(tenant, datasetId, version);
    for (const other of await this.#versionsIn(dirname(path)))
      if (other !== path && partsOf(other).includes(path)) return false;
    await this.#removeUnread(path);
    await rmdir(join(this.folder(tenant), nameOf(datasetId))).catch(() => undefined);
    return true;
  }

  async #versionsIn(datasetFolder: string): Promise<readonly string[]> {
    const names = await readdir(datasetFolder).catch(() => []);
    return names.filter((name) => name.endsWith('.duckdb')).map((name) => join(datasetFolder, name));
  }

  #count(path: string, by: number): void {
    const readers = (this.#readers.get(path) ?? 0) + by;
    if (readers > 0) this.#readers.set(path, readers);
    else {
      this.#readers.delete(path);
      if (this.#unwanted.delete(path)) void this.#remove(path);
    }
  }

  /** Deletes a version once no statement reads it. */
  async #removeUnread(path: string): Promise<void> {
    if (this.#readers.has(path)) this.#unwanted.add(path);
    else await this.#remove(path);
  }

  /** Deletes a version before its parts list: without the list, the file would pass for the complete version. */
  async #remove(path: string): Promise<void> {
    await rm(path, { force: true });
    await rm(partsPath(path), { force: true });
    await rm(checksumPath(path), { force: true });
  }
}
