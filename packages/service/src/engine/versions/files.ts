import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { once } from '../../concurrency/release.ts';
import type { EngineTable } from '../engine.ts';
import { checksumPath } from './checksums.ts';
import { partsOf, partsPath } from './parts.ts';

/** Folder beside those of tenants in which backups that run hold files of versions. */
export const backupFolder = '.backup';

const safeName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/u;

function nameOf(text: string): string {
  if (!safeName.test(text)) throw new RangeError('an id that cannot name a file');
  return text;
}

/** Size of a file in bytes; 0 of one that is not there. */
export const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Size of all files of a version in bytes. */
export const sizeOfAll = async (path: string): Promise<number> =>
  (await Promise.all(partsOf(path).map(sizeOf))).reduce((sum, size) => sum + size, 0);

export interface VersionFiles {
  /** Folder of a tenant's datasets: all that its child may open. */
  readonly folder: (tenant: string) => string;
  readonly path: (tenant: string, datasetId: string, version: string) => string;
  /** Notes that a statement will read these; call what it gives when that is over. */
  readonly reading: (tables: readonly EngineTable[]) => () => void;
  /** Bytes of a tenant's versions, and of what is being written; those of one dataset left out where it is named. */
  readonly used: (tenant: string, exceptDatasetId: string | null) => Promise<number>;
  readonly keep: (tenant: string, datasetId: string, versions: readonly string[]) => Promise<void>;
  readonly drop: (tenant: string, datasetId: string, version: string) => Promise<boolean>;
}

/** The dataset versions below a folder: `<tenant>/<dataset>/<version>.duckdb`. */
export function createVersionFiles(root: string): VersionFiles {
  const readers = new Map<string, number>();
  const unwanted = new Set<string>();

  /** A version, and then the list of its parts: without it the file would be read as if it were all. */
  const remove = async (path: string): Promise<void> => {
    await rm(path, { force: true });
    await rm(partsPath(path), { force: true });
    await rm(checksumPath(path), { force: true });
  };
  const count = (path: string, by: number): void => {
    const left = (readers.get(path) ?? 0) + by;
    if (left > 0) readers.set(path, left);
    else {
      readers.delete(path);
      if (unwanted.delete(path)) void remove(path);
    }
  };
  const versionsIn = async (home: string): Promise<readonly string[]> =>
    (await readdir(home).catch(() => [])).filter((name) => name.endsWith('.duckdb')).map((name) => join(home, name));
  const folder = (tenant: string): string => join(root, nameOf(tenant));
  const path = (tenant: string, datasetId: string, version: string): string =>
    join(folder(tenant), nameOf(datasetId), `${nameOf(version)}.duckdb`);
  return {
    folder,
    path,
    reading: (tables) => {
      const paths = tables.flatMap(({ source }) => (source.kind === 'file' ? partsOf(source.path) : []));
      for (const one of paths) count(one, 1);
      return once(() => {
        for (const one of paths) count(one, -1);
      });
    },
    used: async (tenant, exceptDatasetId) => {
      let bytes = 0;
      for (const id of await readdir(folder(tenant)).catch(() => [])) {
        if (id === exceptDatasetId) continue;
        const home = join(folder(tenant), id);
        const sizes = (await readdir(home).catch(() => [])).map((name) => sizeOf(join(home, name)));
        for (const size of await Promise.all(sizes)) bytes += size;
      }
      return bytes;
    },
    keep: async (tenant, datasetId, versions) => {
      const home = join(folder(tenant), nameOf(datasetId));
      const named = versions.map((version) => join(home, `${nameOf(version)}.duckdb`));
      const newest = named.toSorted().at(-1);
      const kept = new Set(named.flatMap(partsOf));
      for (const one of await versionsIn(home)) {
        if (kept.has(one)) unwanted.delete(one);
        else if (newest !== undefined && one > newest) continue;
        else if (readers.has(one)) unwanted.add(one);
        else await remove(one);
      }
      if (versions.length === 0 && ![...unwanted].some((one) => one.startsWith(`${home}/`)))
        await rm(home, { recursive: true, force: true });
    },
    drop: async (tenant, datasetId, version) => {
      const one = path(tenant, datasetId, version);
      for (const other of await versionsIn(dirname(one)))
        if (other !== one && partsOf(other).includes(one)) return false;
      if (readers.has(one)) unwanted.add(one);
      else await remove(one);
      await rmdir(join(folder(tenant), nameOf(datasetId))).catch(() => undefined);
      return true;
    },
  };
}
