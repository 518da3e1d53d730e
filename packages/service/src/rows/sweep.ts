import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { timeOfId } from '@inlay/contract';
import type { Engine } from '../engine/engine.ts';
import { backupFolder } from '../engine/versions/files.ts';
import { liveLeases } from '../store/lease.ts';
import { list, sql } from '../store/sql.ts';
import type { Reader } from '../store/store.ts';

export interface SweepContext {
  readonly reader: Reader;
  readonly engine: Engine;
  /** Folder of the dataset versions: `<organization>/<dataset>/<version>.duckdb`. */
  readonly datasets: string;
  /** Folder of task results: `<organization>/<task>.<file>`. */
  readonly results: string;
  /** Folders of temporary files: uploads, exports, publications. */
  readonly passing: readonly string[];
  /** Folder of spill files, with a subfolder per engine child. */
  readonly spills: string;
  readonly now: () => number;
  /** Start time of this instance, in ms since the epoch. */
  readonly startedMs: number;
}

/** Files younger than this, in ms, may be in use by a running instance or command. */
const youngMs = 24 * 3_600_000;
const batchSize = 500;
/** Tolerated clock difference between two instances, in ms. */
const skewMs = 5 * 60_000;

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

function* batchesOf(names: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < names.length; start += batchSize) yield names.slice(start, start + batchSize);
}

const mtimeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );

/** Returns the version that a file belongs to; null if the file was left by an interrupted write. */
const versionOf = (file: string): string | null => /^([^.]+)\.(?:duckdb|parts|sha256)$/u.exec(file)?.[1] ?? null;

/**
 * Returns the start time of the oldest running instance, in ms. Files that are older and unreferenced were left by
 * instances that have ended.
 */
async function endedBefore({ reader, startedMs }: SweepContext): Promise<number> {
  const leases = await reader.rows(liveLeases(reader.dialect.name));
  const starts = leases.map(({ id }) => timeOfId(String(id)) ?? 0);
  return Math.min(startedMs, ...starts) - (leases.length > 1 ? skewMs : 0);
}

/** A single sweep of the local files. */
class FileSweep {
  readonly #context: SweepContext;
  readonly #endedBeforeMs: number;
  #swept = 0;

  constructor(context: SweepContext, endedBeforeMs: number) {
    this.#context = context;
    this.#endedBeforeMs = endedBeforeMs;
  }

  async run(): Promise<number> {
    const { datasets, results, passing, spills } = this.#context;
    await this.#organizations(datasets, (organization) => this.#datasets(organization));
    await this.#organizations(results, (organization) => this.#results(organization));
    await this.#backups(join(datasets, backupFolder));
    for (const folder of passing) await this.#files(folder);
    await this.#spills(spills);
    return this.#swept;
  }

  async #isOlder(path: string): Promise<boolean> {
    return this.#context.now() - ((await mtimeOf(path)) ?? Infinity) > youngMs;
  }

  /** True if a file is so old that no running instance uses it. */
  async #isLeft(path: string): Promise<boolean> {
    return ((await mtimeOf(path)) ?? Infinity) < this.#endedBeforeMs || this.#isOlder(path);
  }

  async #remove(path: string): Promise<void> {
    await rm(path, { force: true, recursive: true });
    this.#swept += 1;
  }

  /** Calls `sweep` for each folder of an organization of this store. Several stores may share a data folder. */
  async #organizations(folder: string, sweep: (organization: string) => Promise<void>): Promise<void> {
    for (const batch of batchesOf(await namesIn(folder))) {
      const rows = await this.#context.reader.rows(sql`select id from organization where id in ${list(batch)}`);
      for (const { id } of rows) await sweep(String(id));
    }
  }

  async #datasets(organization: string): Promise<void> {
    const { reader, datasets } = this.#context;
    for (const batch of batchesOf(await namesIn(join(datasets, organization)))) {
      const ids = list(batch);
      const rows = await reader.rows(
        sql`select id, data_version from securable where id in ${ids}
          union all select id, copy_version from acceleration where id in ${ids}`,
      );
      const currentVersions = new Map(rows.map((row) => [String(row['id']), row['data_version']]));
      for (const id of batch) await this.#versions(organization, id, currentVersions.get(id));
    }
  }

  async #versions(organization: string, id: string, currentVersion: unknown): Promise<void> {
    const datasetFolder = join(this.#context.datasets, organization, id);
    for (const file of await namesIn(datasetFolder)) {
      const version = versionOf(file);
      if ((version !== null && version === currentVersion) || !(await this.#isLeft(join(datasetFolder, file))))
        continue;
      if (version === null) await this.#remove(join(datasetFolder, file));
      else if (await this.#context.engine.dropVersion(organization, id, version)) this.#swept += 1;
    }
    if (await this.#isLeft(datasetFolder)) await rmdir(datasetFolder).catch(() => undefined);
  }

  async #results(organization: string): Promise<void> {
    const { reader, results } = this.#context;
    const resultFolder = join(results, organization);
    for (const batch of batchesOf(await namesIn(resultFolder))) {
      const tasks = batch.map((file) => file.split('.')[0] ?? '');
      const rows = await reader.rows(sql`select id, file from task where id in ${list(tasks)}`);
      const currentFiles = new Set(rows.map(({ id, file }) => `${String(id)}.${String(file)}`));
      for (const file of batch)
        if (!currentFiles.has(file) && (await this.#isLeft(join(resultFolder, file))))
          await this.#remove(join(resultFolder, file));
    }
  }

  /** Removes old backup folders. Backups run as commands without a lease, so only their age counts. */
  async #backups(folder: string): Promise<void> {
    for (const name of await namesIn(folder))
      if (await this.#isOlder(join(folder, name))) await this.#remove(join(folder, name));
  }

  async #files(folder: string): Promise<void> {
    for (const name of await namesIn(folder))
      if (await this.#isLeft(join(folder, name))) await this.#remove(join(folder, name));
  }

  async #spills(folder: string): Promise<void> {
    for (const name of await namesIn(folder)) {
      const path = join(folder, name);
      // An empty folder is kept, since it may belong to a running child process that has not spilled yet.
      if ((await this.#isLeft(path)) && (await namesIn(path)).length > 0) await this.#remove(path);
    }
  }
}

/**
 * Deletes unreferenced files: versions of deleted datasets, interrupted writes, expired task results, leftovers of
 * killed backups, incomplete uploads, and spill files of killed processes. Returns the number of deleted files. Raises
 * what the store raises.
 */
export async function sweepRows(context: SweepContext): Promise<number> {
  return new FileSweep(context, await endedBefore(context)).run();
}
