import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineProblem, noCaller, type EngineTable, type ParquetFiles, type ParquetSpec } from './engine.ts';
import type { Pool } from './pool/pool.ts';
import { runWithRetry } from './run-request.ts';
import type { DamagedFiles } from './versions/damage.ts';
import { sizeOfAll, type VersionFiles } from './versions/files.ts';

/** Time limit, proportional to the size of the version. */
const deadline = { leastMs: 120_000, msPerMb: 2000 };
const longestTimerMs = 2_147_483_647;

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes versions as Parquet files, in children of their own pool. */
export class ParquetWriter {
  readonly #pool: Pool;
  readonly #files: VersionFiles;
  readonly #damage: DamagedFiles;

  constructor(pool: Pool, files: VersionFiles, damage: DamagedFiles) {
    this.#pool = pool;
    this.#files = files;
    this.#damage = damage;
  }

  /** Writes the files of a version, and syncs them to disk. Raises EngineProblem, or the reason of the signal. */
  async write(
    { tenant, datasetId, version, folder, order }: ParquetSpec,
    progress: (rows: number) => void,
    signal: AbortSignal,
  ): Promise<ParquetFiles> {
    const path = this.#files.path(tenant, datasetId, version);
    const tables: readonly EngineTable[] = [{ name: '', source: { kind: 'file', path } }];
    const finishReading = this.#files.reading(tables);
    const megabytes = (await sizeOfAll(path)) / 1024 ** 2;
    const spec = {
      request: { op: 'parquet', path, folder, order },
      batches: new Map(),
      deadlineMs: Math.min(longestTimerMs, deadline.leastMs + megabytes * deadline.msPerMb),
      progress,
    } as const;
    const need = { tenant, caller: noCaller, shape: 'parquet', duty: { kind: 'alone' } } as const;
    try {
      const { attempt } = await runWithRetry(this.#pool, need, spec, signal);
      const end = await attempt.ended;
      if (end.op !== 'parquet') throw new EngineProblem('failed');
      for (const name of await readdir(folder)) await flush(join(folder, name));
      await flush(folder);
      return end;
    } catch (error) {
      throw await this.#damage.problemOf(error, tables);
    } finally {
      finishReading();
    }
  }
}
