import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '../engine/engine.ts';
import { backupFolder } from '../engine/versions/files.ts';
import { timeOfId } from '@inlay/contract';
import { liveLeases } from '../store/lease.ts';
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
  /** When this instance was started. */
  readonly startedMs: number;
}

/** Younger files may belong to work that is not done yet, here or by a command. */
const youngMs = 24 * 3_600_000;
const abreast = 500;

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

/** How far the clocks of two instances may be apart. */
const skewMs = 5 * 60_000;

/** Before this moment no instance that runs now was started: what was written then and is not named was left by one that ended. */
async function endedBefore({ reader, startedMs }: SweepContext): Promise<number> {
  const leases = await reader.rows(liveLeases(reader.dialect.name));
  const starts = leases.map(({ id }) => timeOfId(String(id)) ?? 0);
  return Math.min(startedMs, ...starts) - (leases.length > 1 ? skewMs : 0);
}

/** What clearing away works with, and what it has found out. */
interface Sweep extends SweepContext {
  readonly endedBeforeMs: number;
}

const mtimeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );

const isOlder = async ({ now }: Sweep, path: string): Promise<boolean> =>
  now() - ((await mtimeOf(path)) ?? Infinity) > youngMs;

/** Whether no instance works on a file any more. */
async function isLeft(sweep: Sweep, path: string): Promise<boolean> {
  return ((await mtimeOf(path)) ?? Infinity) < sweep.endedBeforeMs || isOlder(sweep, path);
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

/** The organizations of this store among those with folders: several stores may share a data folder. */
async function ownTenants({ reader }: Sweep, tenants: readonly string[]): Promise<readonly string[]> {
  const rows = await reader.rows(sql`select id from organization where id in ${list(tenants)}`);
  return rows.map(({ id }) => String(id));
}

async function sweepTenant(context: Sweep, tenant: string): Promise<number> {
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
        if (version === current.get(id) || !(await isLeft(context, join(home, file)))) continue;
        if (version === null) await rm(join(home, file), { force: true });
        else if (!(await engine.dropVersion(tenant, id, version))) continue;
        swept += 1;
      }
      if (await isLeft(context, home)) await rmdir(home).catch(() => undefined);
    }
  }
  return swept;
}

/**
 * Removes what nothing leads to any more: versions of deleted datasets, versions that a stopped process left half-way,
 * what killed backups held, files of uploads that never came whole, what statements of a killed process spilled. Gives how many there were. Raises
 * what the store raises.
 */
export async function sweepRows(given: SweepContext): Promise<number> {
  const context = { ...given, endedBeforeMs: await endedBefore(given) };
  let swept = 0;
  const tenants = await namesIn(context.datasets);
  for (let start = 0; start < tenants.length; start += abreast)
    for (const tenant of await ownTenants(context, tenants.slice(start, start + abreast)))
      swept += await sweepTenant(context, tenant);
  const held = join(context.datasets, backupFolder);
  for (const name of await namesIn(held)) {
    // Backups are commands and hold no lease.
    if (!(await isOlder(context, join(held, name)))) continue;
    await rm(join(held, name), { recursive: true, force: true });
    swept += 1;
  }
  for (const folder of context.passing)
    for (const name of await namesIn(folder)) {
      const path = join(folder, name);
      if (!(await isLeft(context, path))) continue;
      await rm(path, { force: true });
      swept += 1;
    }
  for (const name of await namesIn(context.spills)) {
    const path = join(context.spills, name);
    // An empty one may belong to a child that lives and has nothing to spill.
    if (!(await isLeft(context, path)) || (await namesIn(path)).length === 0) continue;
    await rm(path, { recursive: true, force: true });
    swept += 1;
  }
  return swept;
}
