import { resolve } from 'node:path';
import { retirementReasons, type ChildBounds, type RetirementReason } from '../child-process.ts';
import type { EngineLoad } from '../engine.ts';
import { createMemoryWatch, type MemoryWatch } from '../memory-watch.ts';
import { maxDescriptors, type ChildLimits } from '../messages.ts';
import { Pool } from './pool.ts';

/** Settings of the children. */
export interface PoolOptions {
  readonly dataDir: string;
  /** Memory limit per child in MB. DuckDB gets what Node does not need. */
  readonly memoryMb: number;
  readonly children: number;
  readonly threads: number;
  /** Number of children that write versions. */
  readonly writers?: number;
  readonly spillMb: number;
  readonly idleMs?: number;
  /** Monitors the memory of the children; created if omitted. */
  readonly watch?: MemoryWatch;
  /** Limit of open files, sockets and pipes per child. */
  readonly descriptors?: number;
  /** Called when a child is replaced. */
  readonly retired?: (reason: RetirementReason, why: string) => void;
}

/**
 * `overheadMb`: memory of a child outside DuckDB's own limit; Node and the code of DuckDB take 130 MB of it.
 * `allocator`: allocator options. By default, the allocator returns freed memory after a second, and DuckDB does not
 * count that memory: 32 statements over 10 million rows took 440 MB with a limit of 130 MB for DuckDB. If large
 * allocations are returned immediately, the statements take 350 MB with a limit of 180 MB. A writer returns all freed
 * memory immediately: writing 5,000 rows of 500 long texts took 330 to 342 MB instead of 375 to over 400 MB, in the
 * same time.
 */
const overhead = {
  statements: { overheadMb: 220, allocator: 'oversize_threshold:262144' },
  writing: { overheadMb: 220, allocator: 'oversize_threshold:1048576,dirty_decay_ms:0,muzzy_decay_ms:0' },
} as const;

/**
 * Memory in MB that a child reserves but does not use: stacks and heap. Freed memory stays reserved too, so the limit
 * of the system is higher than that of the memory watch. The limit of the system stops growth that is too fast for the
 * polling of the watch.
 */
const reservedMb = 1024;

/**
 * Returns the number of concurrent statements per child. With four statements on two cores, each took 1.5 times as long
 * as all four in sequence.
 */
const concurrency = (threads: number): number => Math.min(4, Math.max(2, threads));

/**
 * How long an idle writer is kept. Starting a writer takes a quarter of a second, as long as writing ten small
 * versions.
 */
const writerIdleMs = 15_000;

/** Time in ms after which a statement of one caller must not block those of others. */
const sliceMs = 200;

/** Folder for temporary files of children. */
export const workFolderOf = (dataDir: string): string => resolve(dataDir, 'work', 'engine');

/** The pools of children: for queries, exports, writing versions and copying them to files. */
export class EnginePools {
  readonly queries: Pool;
  readonly exporters: Pool;
  readonly writers: Pool;
  readonly copiers: Pool;
  readonly #retirements = new Map<RetirementReason, number>();

  constructor(options: PoolOptions) {
    const bounds = this.#boundsOf(options);
    const limitsOf = ({ overheadMb, allocator }: (typeof overhead)[keyof typeof overhead]): ChildLimits => ({
      memoryMb: Math.max(64, options.memoryMb - overheadMb),
      allocator,
      threads: options.threads,
      workFolder: workFolderOf(options.dataDir),
      spillMb: options.spillMb,
    });
    const { children, writers = 3, idleMs = 60_000 } = options;
    this.queries = new Pool(
      {
        children,
        perTenant: Math.ceil(children / 2),
        atOnce: concurrency(options.threads),
        waiting: 5000,
        idleMs,
        sliceMs,
        spare: true,
        inBackground: false,
      },
      limitsOf(overhead.statements),
      bounds,
    );
    // An export may wait an hour for its reader, so exports must not occupy slots for queries.
    this.exporters = new Pool(
      {
        children,
        perTenant: 1,
        atOnce: 2,
        waiting: 20,
        idleMs: 5000,
        sliceMs,
        spare: false,
        inBackground: true,
      },
      limitsOf(overhead.statements),
      bounds,
    );
    this.writers = new Pool(
      {
        children: writers,
        perTenant: Math.max(1, writers - 1),
        atOnce: 1,
        waiting: 1000,
        idleMs: writerIdleMs,
        sliceMs,
        spare: false,
        inBackground: false,
      },
      limitsOf(overhead.writing),
      bounds,
    );
    // Copying a version takes minutes, so it must not occupy slots for exports and uploads.
    this.copiers = new Pool(
      {
        children: 1,
        perTenant: 1,
        atOnce: 1,
        waiting: 20,
        idleMs: 5000,
        sliceMs,
        spare: false,
        inBackground: true,
      },
      limitsOf(overhead.statements),
      bounds,
    );
  }

  /** Number of replaced children by reason. */
  get retirements(): ReadonlyMap<RetirementReason, number> {
    return this.#retirements;
  }

  load(): EngineLoad {
    const queries = this.queries.held();
    const loads = [queries, ...[this.exporters, this.writers, this.copiers].map((pool) => pool.held())];
    const sum = (name: keyof Omit<EngineLoad, 'queries'>): number =>
      loads.reduce((total, load) => total + load[name], 0);
    return {
      running: sum('running'),
      waiting: sum('waiting'),
      children: sum('children'),
      slowChildren: sum('slowChildren'),
      queries,
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.queries, this.exporters, this.writers, this.copiers].map((pool) => pool.close()));
  }

  #boundsOf({ memoryMb, threads, watch, descriptors, retired }: PoolOptions): ChildBounds {
    return {
      retired: (reason) => {
        this.#retirements.set(reason, (this.#retirements.get(reason) ?? 0) + 1);
        retired?.(reason, retirementReasons[reason]);
      },
      watch: watch ?? createMemoryWatch(),
      residentMb: memoryMb,
      descriptors: descriptors ?? maxDescriptors,
      dataMb: reservedMb + 8 * threads + 2 * memoryMb,
    };
  }
}
