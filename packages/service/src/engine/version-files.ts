import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from '../concurrency/release.ts';
import type { EngineTable } from './engine.ts';

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

export interface VersionFiles {
  /** Folder of a tenant's datasets: all that its child may open. */
  readonly folder: (tenant: string) => string;
  readonly path: (tenant: string, datasetId: string, version: string) => string;
  /** Notes that a statement will read these; call what it gives when that is over. */
  readonly reading: (tables: readonly EngineTable[]) => () => void;
  /** Bytes of a tenant's versions, and of what is being written; those of one dataset left out where it is named. */
  readonly used: (tenant: string, exceptDatasetId: string | null) => Promise<number>;
  readonly keep: (tenant: string, datasetId: string, versions: readonly string[]) => Promise<void>;
  readonly drop: (tenant: string, datasetId: string, version: string) => Promise<void>;
}

/** The dataset versions below a folder: `<tenant>/<dataset>/<version>.duckdb`. */
export function createVersionFiles(root: string): VersionFiles {
  const readers = new Map<string, number>();
  const unwanted = new Set<string>();

  const count = (path: string, by: number): void => {
    const left = (readers.get(path) ?? 0) + by;
    if (left > 0) readers.set(path, left);
    else {
      readers.delete(path);
      if (unwanted.delete(path)) void rm(path, { force: true });
    }
  };
  const folder = (tenant: string): string => join(root, nameOf(tenant));
  const path = (tenant: string, datasetId: string, version: string): string =>
    join(folder(tenant), nameOf(datasetId), `${nameOf(version)}.duckdb`);
  return {
    folder,
    path,
    reading: (tables) => {
      const paths = tables.flatMap(({ source }) => (source.kind === 'file' ? [source.path] : []));
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
      const kept = new Set(versions.map((version) => `${nameOf(version)}.duckdb`));
      const newest = [...kept].toSorted().at(-1);
      for (const name of await readdir(home).catch(() => [])) {
        const one = join(home, name);
        if (kept.has(name)) unwanted.delete(one);
        else if (newest !== undefined && name > newest) continue;
        else if (readers.has(one)) unwanted.add(one);
        else if (name.endsWith('.duckdb')) await rm(one, { force: true });
      }
      if (versions.length === 0 && ![...unwanted].some((one) => one.startsWith(`${home}/`)))
        await rm(home, { recursive: true, force: true });
    },
    drop: async (tenant, datasetId, version) => {
      const one = path(tenant, datasetId, version);
      if (readers.has(one)) unwanted.add(one);
      else await rm(one, { force: true });
      await rmdir(join(folder(tenant), nameOf(datasetId))).catch(() => undefined);
    },
  };
}
