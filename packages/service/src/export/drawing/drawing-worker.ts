import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MemoryWatch } from '../../engine/memory-watch.ts';
import { Problem } from '../../problems/problem.ts';
import { createTenantTurns } from '../../concurrency/tenant-turns.ts';
import type { DrawingJob } from './drawing.ts';
import { startDrawer, type Drawer } from './drawer.ts';

/** Draws pictures and pages, and writes tables, in processes of their own. */
export interface DrawingWorker {
  /**
   * Gives a name for a file of answers and the job's way to its result; both files are gone when `work` has ended, however it ends.
   * Raises what `work` raises.
   */
  readonly withSpool: <Given>(work: (path: string) => Promise<Given>) => Promise<Given>;
  /**
   * The file of a job over the answers at `answers`. Organizations take turns. Raises Problem: 400 `export_too_large`, 503
   * `export_failed` with what went wrong in the log, 503 `overloaded`, 504 `deadline_passed`, or what `signal` was aborted with.
   */
  readonly draw: (organizationId: string, job: DrawingJob, answers: string, signal: AbortSignal) => Promise<Uint8Array>;
  readonly close: () => Promise<void>;
}

export interface DrawingWorkerOptions {
  /** Where answers lie while they are drawn. */
  readonly folder: string;
  readonly watch: MemoryWatch;
  /** Is told why a drawing did not come about. */
  readonly failed: (reason: string) => void;
  /** Time for one drawing, waiting excluded. */
  readonly drawMs?: number;
}

/** Jobs at once. */
const places = 2;
/** Jobs of one organization that may wait. */
const mostWaiting = 20;
const defaultDrawMs = 20_000;
/** Time that a process may take to start. */
const startMs = 60_000;
/** A process ends after so long without work: it holds the charting library. */
const idleMs = 60_000;
const mostBytes = 32 * 1024 ** 2;

const tooLarge = (message?: string): Problem =>
  new Problem('export_too_large', message === undefined ? {} : { message });

/** Starts no process until something is drawn. */
export function createDrawingWorker(options: DrawingWorkerOptions): DrawingWorker {
  const { folder, watch, failed, drawMs = defaultDrawMs } = options;
  const turns = createTenantTurns({
    places,
    waiting: mostWaiting,
    refusal: (waiting) =>
      new Problem('overloaded', {
        message: `Your organization already has ${waiting} exports waiting.`,
        retryAfterS: 10,
      }),
  });
  const free: { readonly drawer: Drawer; readonly idle: NodeJS.Timeout }[] = [];
  const all = new Set<Drawer>();
  let closed = false;

  const take = (): Drawer => {
    for (let kept = free.pop(); kept !== undefined; kept = free.pop()) {
      clearTimeout(kept.idle);
      if (kept.drawer.alive()) return kept.drawer;
    }
    const drawer = startDrawer(watch);
    all.add(drawer);
    void drawer.died.then(() => all.delete(drawer));
    return drawer;
  };
  const give = (drawer: Drawer): void => {
    if (closed || !drawer.alive()) return drawer.kill();
    const idle = setTimeout(() => drawer.kill(), idleMs);
    idle.unref();
    free.push({ drawer, idle });
  };

  /** Runs one job; the process of one that is not done in time, or that nobody wants any more, is ended. */
  async function run(job: DrawingJob, answers: string, result: string, signal: AbortSignal): Promise<Uint8Array> {
    const drawer = take();
    const late = new AbortController();
    let timer = setTimeout(() => late.abort(), startMs);
    void drawer.ready.then(() => {
      clearTimeout(timer);
      timer = setTimeout(() => late.abort(), drawMs);
      if (over) clearTimeout(timer);
    });
    let over = false;
    const stop = AbortSignal.any([signal, late.signal]);
    const end = (): void => drawer.kill();
    stop.addEventListener('abort', end, { once: true });
    try {
      const reply = await drawer.ask({ job, answers, result });
      signal.throwIfAborted();
      if (late.signal.aborted)
        throw new Problem('deadline_passed', {
          message: 'The file took longer to draw than this service allows. Ask for fewer items or fewer rows.',
        });
      if (reply.kind === 'refused') throw new Problem('query_failed', { message: reply.message });
      if (reply.kind === 'too_large') throw tooLarge(reply.message);
      if (reply.kind === 'memory') throw tooLarge();
      if (reply.kind === 'disk_full' || reply.kind === 'disk_unwritable')
        throw new Problem(reply.kind, { retryAfterS: 60 });
      if (reply.kind === 'failed') {
        failed(reply.reason);
        throw new Problem('export_failed');
      }
      if ((await stat(result)).size > mostBytes) throw tooLarge();
      return await readFile(result);
    } finally {
      over = true;
      clearTimeout(timer);
      stop.removeEventListener('abort', end);
      give(drawer);
    }
  }

  return {
    withSpool: async (work) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, randomUUID());
      try {
        return await work(path);
      } finally {
        await rm(path, { force: true });
      }
    },
    draw: async (organizationId, job, answers, signal) => {
      const leave = await turns.enter(organizationId, signal);
      const result = `${answers}.drawn`;
      try {
        return await run(job, answers, result, signal);
      } finally {
        leave();
        await rm(result, { force: true });
      }
    },
    close: async () => {
      closed = true;
      for (const { idle } of free.splice(0)) clearTimeout(idle);
      const ending = [...all];
      for (const drawer of ending) drawer.kill();
      await Promise.all(ending.map(({ died }) => died));
    },
  };
}
