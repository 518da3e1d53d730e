import { Worker } from 'node:worker_threads';
import { Problem } from '../problems/problem.ts';
import type { DrawingJob } from './drawing.ts';

/** Draws pictures and pages in a thread of its own. */
export interface Draughtsman {
  /** Raises Problem: 500 `export_failed` with what went wrong in the log, or what `signal` was aborted with. */
  draw(job: DrawingJob, signal: AbortSignal): Promise<Uint8Array>;
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

const isAnswer = (value: unknown): value is { id: number; bytes?: Uint8Array; error?: string } =>
  typeof value === 'object' && value !== null && 'id' in value;

/** The thread ends after so long without work: it holds the charting library. */
const idleMs = 60_000;
/** Memory of the thread, in MB; a drawing that needs more fails alone. */
const memoryMb = 512;

/** Starts no thread until something is drawn. `failed` is told why a drawing did not come about. */
export function createDraughtsman(failed: (reason: string) => void): Draughtsman {
  const waiting = new Map<number, Waiting>();
  const state: { worker: Worker | null; next: number; idle: NodeJS.Timeout | null } = {
    worker: null,
    next: 0,
    idle: null,
  };

  const end = (reason: string | null): void => {
    const { worker } = state;
    state.worker = null;
    if (state.idle !== null) clearTimeout(state.idle);
    state.idle = null;
    void worker?.terminate();
    if (reason !== null) failed(reason);
    for (const { reject } of waiting.values()) reject(new Problem('export_failed'));
    waiting.clear();
  };

  const start = (): Worker => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      env: {},
    });
    worker.unref();
    worker.on('message', (message: unknown) => {
      if (!isAnswer(message)) return;
      const held = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.bytes !== undefined) held?.resolve(message.bytes);
      else {
        failed(message.error ?? 'no reason given');
        held?.reject(new Problem('export_failed'));
      }
    });
    worker.on('error', (error) => {
      if (state.worker === worker) end(String(error));
    });
    worker.on('exit', () => {
      if (state.worker === worker) end(waiting.size > 0 ? 'the drawing thread ended' : null);
    });
    return worker;
  };

  return {
    draw: (job, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (state.idle !== null) clearTimeout(state.idle);
        const worker = (state.worker ??= start());
        const id = (state.next += 1);
        const settle = (): void => {
          signal.removeEventListener('abort', abort);
          waiting.delete(id);
          if (waiting.size > 0) return;
          state.idle = setTimeout(() => end(null), idleMs);
          state.idle.unref();
        };
        // A drawing cannot be stopped half-way; its thread can.
        const abort = (): void => {
          settle();
          reject(signal.reason);
          if (waiting.size === 0) end(null);
        };
        signal.addEventListener('abort', abort, { once: true });
        waiting.set(id, {
          resolve: (bytes) => {
            settle();
            resolve(bytes);
          },
          reject: (error) => {
            settle();
            reject(error);
          },
        });
        worker.postMessage({ id, job });
      }),
    close: async () => {
      const { worker } = state;
      end(null);
      await worker?.terminate();
    },
  };
}
