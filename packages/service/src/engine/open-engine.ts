import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { ChildDied, deathTold, startAttempt, type Attempt, type AttemptSpec } from './attempt.ts';
import {
  EngineProblem,
  noCaller,
  type Batch,
  type Engine,
  type EngineAnswer,
  type EngineJob,
  type EngineLoad,
  type EngineTable,
} from './engine.ts';
import { createIngest } from './ingest.ts';
import { retirementReasons, type ChildBounds, type RetirementReason } from './child-process.ts';
import { createMemoryWatch, type MemoryWatch } from './memory-watch.ts';
import {
  mostDescriptors,
  type ChildEnd,
  type ChildLimits,
  type ChildRequest,
  type Output,
  type SentTable,
} from './messages.ts';
import { createPool, type Need, type Pool } from './pool.ts';
import { DamagedFiles, type ReportDamage } from './versions/damage.ts';
import { createVersionFiles } from './versions/files.ts';

/** What the settings say of the engine. */
export interface EngineOptions {
  readonly dataDir: string;
  /** Memory of one child; DuckDB gets what Node leaves of it. */
  readonly memoryMb: number;
  readonly children: number;
  readonly threads: number;
  /** Children that write versions. */
  readonly writers?: number;
  readonly deadlineMs: number;
  readonly spillMb: number;
  readonly idleMs?: number;
  /** Looks at the memory of the children; one of its own where none is given. */
  readonly watch?: MemoryWatch;
  /** Files, sockets and pipes that a child may hold open. */
  readonly descriptors?: number;
  /** Told of files of versions that are damaged. */
  readonly damaged?: ReportDamage;
  /** Told of each child that is replaced. */
  readonly retired?: (reason: RetirementReason, why: string) => void;
}

/**
 * Memory that a child takes beside DuckDB's own limit, and what its allocator is told. Node and DuckDB's code take 130 MB. What was
 * freed is kept for a second by default, which DuckDB does not count: 32 statements over 10 million rows held 440 MB with a limit of
 * 130. Blocks and larger ones given back at once, they hold 350 with a limit of 180. A writer gives everything
 * back at once: while it wrote 5,000 rows of 500 long texts it held 375 to over 400 MB where freed memory was kept, 330 to 342 so, and
 * took as long.
 */
const beside = {
  statements: { besideMb: 220, allocator: 'oversize_threshold:262144' },
  writing: { besideMb: 220, allocator: 'oversize_threshold:1048576,dirty_decay_ms:0,muzzy_decay_ms:0' },
} as const;

/**
 * What a child reserves and does not use: stacks, and room for the heap. What was freed stays reserved too, so the system's bound is
 * wider than that of the watch; it holds what grows faster than the watch looks.
 */
const reservedMb = 1024;

/** Statements at once in a child: of four on two cores each took as long as all had one after the other, and half as long again. */
const atOnce = (threads: number): number => Math.min(4, Math.max(2, threads));

/** A writer takes a quarter of a second to start, as long as ten small versions take. */
const writerIdleMs = 15_000;

/** Time after which a statement of one caller may not hold up those of others. */
const sliceMs = 200;

const sent = ({ name, source }: EngineTable): SentTable =>
  source.kind === 'rows' ? { name, source: { kind: 'rows', columns: source.columns } } : { name, source };

const batchesOf = (tables: readonly EngineTable[]): ReadonlyMap<number, AsyncIterator<Batch>> =>
  new Map(
    tables.flatMap(({ source }, index) =>
      source.kind === 'rows' ? [[index, source.rows[Symbol.asyncIterator]()]] : [],
    ),
  );

/** A statement that the service runs for no caller. */
const ownNeed = (tenant: string, shape: string): Need => ({
  tenant,
  shape,
  caller: noCaller,
  duty: { kind: 'alone' },
});

export interface StartedAttempt {
  readonly attempt: Attempt;
  readonly queuedMs: number;
}

/** Whether memory was short: the child's, or what DuckDB may use of it. */
const isShortOfMemory = (error: unknown): boolean =>
  error instanceof ChildDied ? error.death !== 'unknown' : error instanceof EngineProblem && error.cause === 'memory';

/** A statement that was refused memory in a child of its own would be again. */
const mayRunAgain = (error: unknown, { duty }: Need): boolean =>
  error instanceof ChildDied || (isShortOfMemory(error) && duty.kind === 'compiled');

/**
 * Runs a request in a place of the pool, and once more when the child dies or can serve no more before it has answered anything: in a
 * child of its own where memory was short, which others or what ran before may have taken.
 */
async function conduct(pool: Pool, need: Need, spec: AttemptSpec, signal: AbortSignal): Promise<StartedAttempt> {
  let wanted = need;
  for (let left = spec.batches.size === 0 ? 1 : 0; ; left -= 1) {
    const { child, queuedMs, release } = await pool.place(wanted, signal);
    const attempt = startAttempt(child, spec, signal);
    void attempt.left.then(release);
    try {
      await attempt.begun;
      return { attempt, queuedMs };
    } catch (error) {
      if (left === 0 || !mayRunAgain(error, wanted)) throw deathTold(error);
      if (isShortOfMemory(error)) wanted = { ...need, duty: { kind: 'alone' } };
    }
  }
}

async function* readable(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw deathTold(error);
  }
}

/** Opens the engine; nothing is started before it is used. */
export function openEngine(options: EngineOptions): Engine & { readonly pool: Pool; readonly exporters: Pool } {
  const workFolder = resolve(options.dataDir, 'work', 'engine');
  mkdirSync(workFolder, { recursive: true, mode: 0o700 });
  const files = createVersionFiles(resolve(options.dataDir, 'datasets'));
  const damage = new DamagedFiles(options.damaged ?? (() => undefined));
  const limitsOf = ({ besideMb, allocator }: (typeof beside)[keyof typeof beside]): ChildLimits => ({
    memoryMb: Math.max(64, options.memoryMb - besideMb),
    allocator,
    threads: options.threads,
    workFolder,
    spillMb: options.spillMb,
  });
  const limits = limitsOf(beside.statements);
  const retirements = new Map<RetirementReason, number>();
  const memory: ChildBounds = {
    retired: (reason) => {
      retirements.set(reason, (retirements.get(reason) ?? 0) + 1);
      options.retired?.(reason, retirementReasons[reason]);
    },
    watch: options.watch ?? createMemoryWatch(),
    residentMb: options.memoryMb,
    descriptors: options.descriptors ?? mostDescriptors,
    dataMb: reservedMb + 8 * options.threads + 2 * options.memoryMb,
  };
  const idleMs = options.idleMs ?? 60_000;
  const shared = { children: options.children, perTenant: Math.ceil(options.children / 2), idleMs, sliceMs };
  const pool = createPool(
    { ...shared, atOnce: atOnce(options.threads), waiting: 5000, spare: true, inBackground: false },
    limits,
    memory,
  );
  const rare = { perTenant: 1, sliceMs, spare: false };
  const writing = options.writers ?? 3;
  const writers = createPool(
    {
      sliceMs,
      spare: false,
      atOnce: 1,
      idleMs: writerIdleMs,
      waiting: 1000,
      inBackground: false,
      children: writing,
      perTenant: Math.max(1, writing - 1),
    },
    limitsOf(beside.writing),
    memory,
  );

  // An export may wait for its reader for an hour: it takes no place of a query.
  const exporters = createPool(
    { ...rare, children: options.children, atOnce: 2, idleMs: 5000, waiting: 20, inBackground: true },
    limits,
    memory,
  );

  const needOf = ({ tenant, caller, tables, sql }: EngineJob): Need => {
    const folder = files.folder(tenant);
    const ours = tables.every(
      ({ source }) => source.kind === 'rows' || (source.kind === 'file' && source.path.startsWith(`${folder}/`)),
    );
    const duty = ours ? ({ kind: 'compiled', folder } as const) : ({ kind: 'alone' } as const);
    const shape = JSON.stringify([sql, tables.map(({ name }) => name)]);
    return { tenant, caller, shape, duty };
  };

  async function select(
    job: EngineJob,
    output: Output,
    from: Pool,
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
      const { attempt, queuedMs } = await conduct(from, need, spec, signal);
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
      return { chunks: readable(attempt.chunks), summary };
    } catch (error) {
      finished();
      throw await damage.problemOf(error, tables);
    }
  }

  /** Runs a request that has no rows to give. */
  async function ask(
    need: Need,
    request: ChildRequest,
    tables: readonly EngineTable[],
    signal: AbortSignal,
  ): Promise<ChildEnd> {
    const spec = { request, batches: batchesOf(tables), deadlineMs: options.deadlineMs };
    const { attempt } = await conduct(pool, need, spec, signal);
    return attempt.ended;
  }

  return {
    pool,
    exporters,
    query: (job, signal) => select(job, 'cells', pool, Math.min(job.deadlineMs, options.deadlineMs), signal),
    exportRows: (job, signal) => select(job, 'lines', exporters, job.deadlineMs, signal),
    plan: async (job, signal) => {
      const { chunks } = await select(job, 'plan', pool, Math.min(job.deadlineMs, options.deadlineMs), signal);
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
    ingest: createIngest(writers, files, resolve(options.dataDir, 'uploads'), damage),
    usedBytes: files.used,
    versionPath: files.path,
    retired: () => retirements,
    keepVersions: files.keep,
    dropVersion: files.drop,
    held: () => {
      const all = [pool, exporters, writers].map((one) => one.held());
      const sum = (of: keyof Omit<EngineLoad, 'queries'>): number => all.reduce((so, one) => so + one[of], 0);
      return {
        running: sum('running'),
        waiting: sum('waiting'),
        children: sum('children'),
        slowChildren: sum('slowChildren'),
        queries: pool.held(),
      };
    },
    close: async () => {
      await Promise.all([pool.close(), exporters.close(), writers.close()]);
    },
  };
}
