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
import { createIngest } from './ingest.ts';
import type { ChildEnd, ChildRequest, Output, SentTable } from './messages.ts';
import type { Need, Pool } from './pool/pool.ts';
import { EnginePools, workFolderOf, type PoolOptions } from './pool/pools.ts';
import { readable, runWithRetry } from './run-request.ts';
import { DamagedFiles, type ReportDamage } from './versions/damage.ts';
import { createVersionFiles } from './versions/files.ts';

/** Settings of the engine. */
export interface EngineOptions extends PoolOptions {
  readonly deadlineMs: number;
  /** Called for damaged files of versions. */
  readonly damaged?: ReportDamage;
}

const sent = ({ name, source }: EngineTable): SentTable =>
  source.kind === 'rows' ? { name, source: { kind: 'rows', columns: source.columns } } : { name, source };

const batchesOf = (tables: readonly EngineTable[]): ReadonlyMap<number, AsyncIterator<Batch>> =>
  new Map(
    tables.flatMap(({ source }, index) =>
      source.kind === 'rows' ? [[index, source.rows[Symbol.asyncIterator]()]] : [],
    ),
  );

/** The need of a statement that the service runs for no caller. */
const ownNeed = (tenant: string, shape: string): Need => ({
  tenant,
  shape,
  caller: noCaller,
  duty: { kind: 'alone' },
});

/** Opens the engine; children start with the first statement. */
export function openEngine(options: EngineOptions): Engine & { readonly pool: Pool; readonly exporters: Pool } {
  mkdirSync(workFolderOf(options.dataDir), { recursive: true, mode: 0o700 });
  const files = createVersionFiles(resolve(options.dataDir, 'datasets'));
  const damage = new DamagedFiles(options.damaged ?? (() => undefined));
  const pools = new EnginePools(options);

  /** Statements over the files of one tenant share children; others run alone. */
  const needOf = ({ tenant, caller, tables, sql }: EngineJob): Need => {
    const folder = files.folder(tenant);
    const isOwn = tables.every(
      ({ source }) => source.kind === 'rows' || (source.kind === 'file' && source.path.startsWith(`${folder}/`)),
    );
    const duty = isOwn ? ({ kind: 'compiled', folder } as const) : ({ kind: 'alone' } as const);
    const shape = JSON.stringify([sql, tables.map(({ name }) => name)]);
    return { tenant, caller, shape, duty };
  };

  async function select(
    job: EngineJob,
    output: Output,
    pool: Pool,
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<EngineAnswer> {
    const { tables, sql, params, rowLimit, byteLimit } = job;
    const need = needOf(job);
    const request = {
      op: 'select',
      tables: tables.map(sent),
      sql,
      params,
      output,
      rowLimit,
      byteLimit,
    } as const;
    const finished = files.reading(tables);
    try {
      const spec = { request, batches: batchesOf(tables), deadlineMs };
      const { attempt, queuedMs } = await runWithRetry(pool, need, spec, signal);
      void attempt.left.then(finished);
      const summary = attempt.ended.then(
        (end) => {
          if (end.op !== 'select') throw new EngineProblem('failed');
          return { rows: end.rows, truncated: end.truncated, queuedMs, queryMs: end.queryMs };
        },
        async (error: unknown) => {
          throw await damage.problemOf(deathTold(error), tables);
        },
      );
      summary.catch(() => undefined);
      return { chunks: readable(attempt.chunks()), summary };
    } catch (error) {
      finished();
      throw await damage.problemOf(error, tables);
    }
  }

  /** Runs a request without rows in its answer. */
  async function ask(
    need: Need,
    request: ChildRequest,
    tables: readonly EngineTable[],
    signal: AbortSignal,
  ): Promise<ChildEnd> {
    const spec = { request, batches: batchesOf(tables), deadlineMs: options.deadlineMs };
    const { attempt } = await runWithRetry(pools.queries, need, spec, signal);
    return attempt.ended;
  }

  const queryDeadlineMs = (job: EngineJob): number => Math.min(job.deadlineMs, options.deadlineMs);

  return {
    pool: pools.queries,
    exporters: pools.exporters,
    query: (job, signal) => select(job, 'cells', pools.queries, queryDeadlineMs(job), signal),
    exportRows: (job, signal) => select(job, 'lines', pools.exporters, job.deadlineMs, signal),
    plan: async (job, signal) => {
      const { chunks } = await select(job, 'plan', pools.queries, queryDeadlineMs(job), signal);
      const read: Uint8Array[] = [];
      for await (const chunk of chunks) read.push(chunk);
      return Buffer.concat(read).toString();
    },
    describe: async ({ tenant, tables, userQuery }, signal) => {
      const request = { op: 'describe', tables: tables.map(sent), userQuery } as const;
      const end = await ask(ownNeed(tenant, 'describe'), request, tables, signal);
      return end.op === 'describe' ? end.columns : [];
    },
    checkSelect: async (sql, tables, signal) => {
      await ask(ownNeed('', 'check'), { op: 'check', sql, tables }, [], signal);
    },
    ingest: createIngest(pools.writers, files, resolve(options.dataDir, 'uploads'), damage),
    usedBytes: files.used,
    versionPath: files.path,
    retired: () => pools.retirements,
    keepVersions: files.keep,
    dropVersion: files.drop,
    held: () => pools.load(),
    close: () => pools.close(),
  };
}
