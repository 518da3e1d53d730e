import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '../engine/engine.ts';
import { backupFolder } from '../engine/versions/files.ts';
import { list, sql } from '../store/sql.ts';
import type { Reader } from '../store/store.ts';

/** What clearing away works with. */
export interface SweepContext {
  readonly reader: Reader;
  readonly engine: Engine;
  /** Folder of the dataset versions: `<organization>/<dataset>/<version>.duckdb`. */
  readonly datasets: string;
  /** Folders of files that are needed for one request: what is coming in, what is drawn. */
  readonly passing: readonly string[];
  /** Folder of what statements spill: a folder for each child of the engine. */
  readonly spills: string;
  readonly now: () => number;
}

/** Younger files may belong to work that is not done yet, here or on another instance. */
const youngMs = 24 * 3_600_000;
const abreast = 500;

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

async function isOld({ now }: SweepContext, path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && now() - found.mtimeMs > youngMs;
}

/** The version that a file is of; null of one that was left while it was written. */
const versionOf = (file: string): string | null => /^([^.]+)\.(?:duckdb|parts|sha256)$/u.exec(file)?.[1] ?? null;

/** The versions that are read now, by dataset; a dataset that is gone is not in it. */
async function versions(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const rows = await reader.rows(sql`select id, data_version from securable where id in ${list(ids)}`);
  return new Map(
    rows.map((row) => [String(row['id']), typeof row['data_version'] === 'string' ? row['data_version'] : null]),
  );
}

async function sweepTenant(context: SweepContext, tenant: string): Promise<number> {
  const { reader, engine, datasets } = context;
  const ids = await namesIn(join(datasets, tenant));
  let swept = 0;
  for (let start = 0; start < ids.length; start += abreast) {
    const part = ids.slice(start, start + abreast);
    const current = await versions(reader, part);
    for (const id of part) {
      const home = join(datasets, tenant, id);
      for (const file of await namesIn(home)) {
        const version = versionOf(file);
        if (version === current.get(id) || !(await isOld(context, join(home, file)))) continue;
        if (version === null) await rm(join(home, file), { force: true });
        else if (!(await engine.dropVersion(tenant, id, version))) continue;
        swept += 1;
      }
      if (await isOld(context, home)) await rmdir(home).catch(() => undefined);
    }
  }
  return swept;
}

/**
 * Removes what nothing leads to any more: versions of deleted datasets, versions that a stopped process left half-way,
 * what killed backups held, files of uploads that never came whole, what statements of a killed process spilled. Gives how many there were. Raises
 * what the store raises.
 */
export async function sweepRows(context: SweepContext): Promise<number> {
  let swept = 0;
  for (const tenant of await namesIn(context.datasets))
    if (tenant !== backupFolder) swept += await sweepTenant(context, tenant);
  const held = join(context.datasets, backupFolder);
  for (const name of await namesIn(held)) {
    if (!(await isOld(context, join(held, name)))) continue;
    await rm(join(held, name), { recursive: true, force: true });
    swept += 1;
  }
  for (const folder of context.passing)
    for (const name of await namesIn(folder)) {
      const path = join(folder, name);
      if (!(await isOld(context, path))) continue;
      await rm(path, { force: true });
      swept += 1;
    }
  for (const name of await namesIn(context.spills)) {
    const path = join(context.spills, name);
    // An empty one may belong to a child that lives and has nothing to spill.
    if (!(await isOld(context, path)) || (await namesIn(path)).length === 0) continue;
    await rm(path, { recursive: true, force: true });
    swept += 1;
  }
  return swept;
}
