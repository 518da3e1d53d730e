import { Worker } from 'node:worker_threads';
import type { Value } from '../../sql.ts';
import type { Row } from '../../store.ts';
import type { Fault } from '../messages.ts';

/** To a reading thread: one statement at a time, and the end of a transaction that statements were read in. */
export type ToReader =
  | { readonly kind: 'read'; readonly text: string; readonly values: readonly Value[]; readonly inTransaction: boolean }
  | { readonly kind: 'end' };

/** From a reading thread: rows as they come, then the end. */
export type FromReader =
  | { readonly kind: 'rows'; readonly rows: readonly Row[] }
  /** `letters`: of all its rows. */
  | { readonly kind: 'end'; readonly letters: number }
  | { readonly kind: 'fault'; readonly fault: Fault };

/** What a reading thread is started with. */
export interface ReaderStart {
  readonly file: string;
  /** How many messages with rows were taken from this thread: it waits for that, so that few are ever on their way. */
  readonly taken: Int32Array;
}

/** One thread, which does one read at a time. */
export interface ReadingThread {
  send(message: ToReader): void;
  isAlive(): boolean;
  /** Told what the thread says, and undefined when it has ended. */
  hear: (message: FromReader | undefined) => void;
}

/** Threads that start when they are needed and end when they are idle. */
export interface ReadingThreads {
  take(): ReadingThread;
  /** For the next read. */
  give(thread: ReadingThread): void;
  end(thread: ReadingThread): Promise<unknown>;
  isClosed(): boolean;
  close(): Promise<void>;
}

/** How long a thread stays without work. */
const idleMs = 30_000;

const startWorker = (file: string, hear: (message: FromReader | undefined) => void): Worker => {
  const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: ReaderStart = { file, taken };
  const worker = new Worker(new URL('./reader-start.mjs', import.meta.url), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 },
  });
  worker.unref();
  worker.on('message', (message: FromReader) => {
    if (message.kind === 'rows') {
      Atomics.add(taken, 0, 1);
      Atomics.notify(taken, 0);
    }
    hear(message);
  });
  worker.on('error', () => hear(undefined));
  worker.on('exit', () => hear(undefined));
  return worker;
};

export function createReadingThreads(file: string): ReadingThreads {
  const workers = new Map<ReadingThread, Worker>();
  const idle = new Map<ReadingThread, NodeJS.Timeout>();
  let closed = false;

  const end = async (thread: ReadingThread): Promise<unknown> => {
    clearTimeout(idle.get(thread));
    idle.delete(thread);
    const worker = workers.get(thread);
    workers.delete(thread);
    return worker?.terminate();
  };
  const start = (): ReadingThread => {
    const worker = startWorker(file, (message) => {
      thread.hear(message);
      if (message === undefined) void end(thread);
    });
    const thread: ReadingThread = {
      send: (message) => worker.postMessage(message),
      isAlive: () => workers.has(thread),
      hear: () => undefined,
    };
    workers.set(thread, worker);
    return thread;
  };
  return {
    take() {
      const thread = [...idle.keys()].at(-1);
      if (thread === undefined) return start();
      clearTimeout(idle.get(thread));
      idle.delete(thread);
      return thread;
    },
    give(thread) {
      if (closed || !thread.isAlive()) return void end(thread);
      idle.set(thread, setTimeout(() => void end(thread), idleMs).unref());
    },
    end,
    isClosed: () => closed,
    async close() {
      closed = true;
      await Promise.all([...workers.keys()].map(end));
    },
  };
}
