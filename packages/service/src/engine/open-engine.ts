import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { deathTold } from './attempt.ts';
import {
  EngineProblem,
  noCaller,
  type Batch,
  type Engine,
  type EngineAnswer,
  type EngineJob,
  type EngineTable,
} from './engine.ts';
import { Ingest } from './ingest.ts';
import type { ChildEnd, ChildRequest, Output, SentTable } from './messages.ts';
import type { Need, Pool } from './pool/pool.ts';
import { EnginePools, workFolderOf, type PoolOptions } from './pool/pools.ts';
import { readable, runWithRetry } from './run-request.ts';
import { DamagedFiles, type ReportDamage } from './versions/damage.ts';
import { VersionFiles } from './versions/files.ts';
import { ParquetWriter } from './write-parquet.ts';

/** Settings of the engine. */
export interface EngineOptions extends PoolOptions {
  readonly deadlineMs: number;
  /** Called with files of versions that are damaged. */
  readonly damaged?: ReportDamage;
}

const toSentTable = ({ name, source }: EngineTable): SentTable =>
  source.kind === 'rows' ? { name, source: { kind: 'rows', columns: source.columns } } : { name, source };

const batchesOf = (tables: readonly EngineTable[]): ReadonlyMap<number, AsyncIterator<Batch>> =>
  new Map(
    tables.flatMap(({ source }, index) =>
      source.kind === 'rows' ? [[index, source.rows[Symbol.asyncIterator]()]] : [],
    ),
  );

/** Need of a statement that the service runs for itself. */
const ownNeed = (tenant: string, shape: string): Need => ({
  tenant,
  shape,
  caller: noCaller,
  duty: { kind: 'alone' },
});

/** Runs statements in the children of the pools. */
class Statements {
  readonly #pools: EnginePools;
  readonly #files: VersionFiles;
  readonly #damage: DamagedFiles;
  readonly #deadlineMs: number;

  constructor(pools: EnginePools, files: VersionFiles, damage: DamagedFiles, deadlineMs: number) {
    this.#pools = pools;
    this.#files = files;
    this.#damage = damage;
    this.#deadlineMs = deadlineMs;
  }

  query(job: EngineJob, signal: AbortSignal): Promise<EngineAnswer> {
    return this.#select(job, 'cells', this.#pools.queries, Math.min(job.deadlineMs, this.#deadlineMs), signal);
  }

  exportRows(job: EngineJob, signal: AbortSignal): Promise<EngineAnswer> {
    return this.#select(job, 'lines', this.#pools.exporters, job.deadlineMs, signal);
  }

  async plan(job: EngineJob, signal: AbortSignal): Promise<string> {
    const deadlineMs = Math.min(job.deadlineMs, this.#deadlineMs);
    const { chunks } = await this.#select(job, 'plan', this.#pools.queries, deadlineMs, signal);
    const planChunks: Uint8Array[] = [];
    for await (const chunk of chunks) planChunks.push(chunk);
    return Buffer.concat(planChunks).toString();
  }

  /** Runs a request whose answer has no rows. */
  async request(
    need: Need,
    request: ChildRequest,
    tables: readonly EngineTable[],
    signal: AbortSignal,
  ): Promise<ChildEnd> {
    const spec = { request, batches: batchesOf(tables), deadlineMs: this.#deadlineMs };
    const { attempt } = await runWithRetry(this.#pools.queries, need, spec, signal);
    return attempt.ended;
  }

  async #select(
    job: EngineJob,
    output: Output,
    pool: Pool,
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<EngineAnswer> {
    const { tables, sql, params, rowLimit, byteLimit } = job;
    const request = {
      op: 'select',
      tables: tables.map(toSentTable),
      sql,
      params,
      output,
      rowLimit,
      byteLimit,
    } as const;
    const finishReading = this.#files.reading(tables);
    try {
      const spec = { request, batches: batchesOf(tables), deadlineMs };
      const { attempt, queuedMs } = await runWithRetry(pool, this.#needOf(job), spec, signal);
      void attempt.left.then(finishReading);
      const summary = attempt.ended.then(
        (end) => {
          if (end.op !== 'select') throw new EngineProblem('failed');
          return { rows: end.rows, truncated: end.truncated, queuedMs, queryMs: end.queryMs };
        },
        async (error: unknown) => {
          throw await this.#damage.problemOf(deathTold(error), tables);
        },
      );
      summary.catch(() => undefined);
      return { chunks: readable(attempt.chunks()), summary };
    } catch (error) {
      finishReading();
      throw await this.#damage.problemOf(error, tables);
    }
  }

  /**
   * Returns what a statement needs. Statements over versions of one tenant share children. Any other statement gets a
   * child of its own.
   */
  #needOf({ tenant, caller, tables, sql }: EngineJob): Need {
    const folder = this.#files.folder(tenant);
    const isOwn = tables.every(
      ({ source }) => source.kind === 'rows' || (source.kind === 'file' && source.path.startsWith(`${folder}/`)),
    );
    const duty = isOwn ? ({ kind: 'compiled', folder } as const) : ({ kind: 'alone' } as const);
    const shape = JSON.stringify([sql, tables.map(({ name }) => name)]);
    return { tenant, caller, shape, duty };
  }
}

/** Opens the engine; starts children on demand. */
export function openEngine(options: EngineOptions): Engine & { readonly pool: Pool; readonly exporters: Pool } {
  mkdirSync(workFolderOf(options.dataDir), { recursive: true, mode: 0o700 });
  const files = new VersionFiles(resolve(options.dataDir, 'datasets'));
  const damage = new DamagedFiles(options.damaged ?? (() => undefined));
  const pools = new EnginePools(options);
  const statements = new Statements(pools, files, damage, options.deadlineMs);
  const ingest = new Ingest(pools.writers, files, resolve(options.dataDir, 'uploads'), damage);
  const parquet = new ParquetWriter(pools.copiers, files, damage);
  return {
    pool: pools.queries,
    exporters: pools.exporters,
    query: (job, signal) => statements.query(job, signal),
    exportRows: (job, signal) => statements.exportRows(job, signal),
    plan: (job, signal) => statements.plan(job, signal),
    describe: async ({ tenant, tables, userQuery }, signal) => {
      const request = { op: 'describe', tables: tables.map(toSentTable), userQuery } as const;
      const end = await statements.request(ownNeed(tenant, 'describe'), request, tables, signal);
      return end.op === 'describe' ? end.columns : [];
    },
    checkSelect: async (sql, tables, signal) => {
      await statements.request(ownNeed('', 'check'), { op: 'check', sql, tables }, [], signal);
    },
    ingest: (spec, signal) => ingest.run(spec, signal),
    writeParquet: (spec, progress, signal) => parquet.write(spec, progress, signal),
    usedBytes: (tenant, exceptDatasetId) => files.used(tenant, exceptDatasetId),
    versionPath: (tenant, datasetId, version) => files.path(tenant, datasetId, version),
    retired: () => pools.retirements,
    keepVersions: (tenant, datasetId, versions) => files.keep(tenant, datasetId, versions),
    dropVersion: (tenant, datasetId, version) => files.drop(tenant, datasetId, version),
    held: () => pools.load(),
    close: () => pools.close(),
  };
}
