import { Worker } from 'node:worker_threads';
import type { Value } from '../../sql.ts';
import type { Row } from '../../store.ts';
import type { Fault } from '../messages.ts';

/** Messages to a reading thread: a statement, or the end of the transaction. */
export type ToReader =
  | { readonly kind: 'read'; readonly text: string; readonly values: readonly Value[]; readonly inTransaction: boolean }
  | { readonly kind: 'end' };

/** Messages from a reading thread: batches of rows, then the end. */
export type FromReader =
  | { readonly kind: 'rows'; readonly rows: readonly Row[] }
  /** The end of a read. `letters` is the number of characters of all its rows. */
  | { readonly kind: 'end'; readonly letters: number }
  | { readonly kind: 'fault'; readonly fault: Fault };

/** Start parameters of a reading thread. */
export interface ReaderStart {
  readonly file: string;
  /**
   * Number of row messages that the receiver has taken from this thread. The thread waits for this number, so that only
   * few messages are in transit.
   */
  readonly taken: Int32Array;
}

/** A thread that runs one read at a time. */
export interface ReadingThread {
  send(message: ToReader): void;
  isAlive(): boolean;
  /** Called with each message of the thread, and with undefined when it has ended. */
  hear: (message: FromReader | undefined) => void;
}

/** Threads that start on demand and end when idle. */
export interface ReadingThreads {
  take(): ReadingThread;
  /** Makes a thread available for the next read. */
  give(thread: ReadingThread): void;
  end(thread: ReadingThread): Promise<unknown>;
  isClosed(): boolean;
  close(): Promise<void>;
}

/** Idle time after which a thread ends. */
const idleMs = 30_000;

const startWorker = (file: string, hear: (message: FromReader | undefined) => void): Worker => {
  const takenBatches = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: ReaderStart = { file, taken: takenBatches };
  const worker = new Worker(new URL('./reader-start.mjs', import.meta.url), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 },
  });
  worker.unref();
  worker.on('message', (message: FromReader) => {
    if (message.kind === 'rows') {
      Atomics.add(takenBatches, 0, 1);
      Atomics.notify(takenBatches, 0);
    }
    hear(message);
  });
  worker.on('error', () => hear(undefined));
  worker.on('exit', () => hear(undefined));
  return worker;
};

export function createReadingThreads(file: string): ReadingThreads {
  const workers = new Map<ReadingThread, Worker>();
  const idleTimers = new Map<ReadingThread, NodeJS.Timeout>();
  let isClosed = false;

  const end = async (thread: ReadingThread): Promise<unknown> => {
    clearTimeout(idleTimers.get(thread));
    idleTimers.delete(thread);
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
      const thread = [...idleTimers.keys()].at(-1);
      if (thread === undefined) return start();
      clearTimeout(idleTimers.get(thread));
      idleTimers.delete(thread);
      return thread;
    },
    give(thread) {
      if (isClosed || !thread.isAlive()) return void end(thread);
      idleTimers.set(thread, setTimeout(() => void end(thread), idleMs).unref());
    },
    end,
    isClosed: () => isClosed,
    async close() {
      isClosed = true;
      await Promise.all([...workers.keys()].map(end));
    },
  };
}
