import { Worker } from 'node:worker_threads';
import { errorOf, type Fault } from './messages.ts';
import { render, type Sql, type Value } from '../sql.ts';
import { createTenantTurns } from '../../concurrency/tenant-turns.ts';
import { ReadsBusy, ReadTooLong, StoreUnavailable, type Row } from '../store.ts';

/** To a reading thread: one statement at a time. */
export interface ToReader {
  readonly text: string;
  readonly values: readonly Value[];
}

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

/** How long a thread stays without work. */
const idleMs = 30_000;

/** Letters that one read may leave behind in its thread; after more, the thread ends and gives its memory back. */
const mostLeftBehind = 16 * 1024 ** 2;

export interface ReadersOptions {
  readonly file: string;
  /** Threads at most; none runs before it is needed. */
  readonly threads: number;
  readonly deadlineMs: number;
  /** Reads of one tenant that may wait. */
  readonly waiting: number;
}

/** Reads on threads of their own. */
export interface SqliteReaders {
  /** Raises ReadTooLong, ReadsBusy, StoreUnavailable. */
  rows(statement: Sql, tenant: string): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** One thread, which does one read at a time. */
interface Thread {
  readonly worker: Worker;
  idle: NodeJS.Timeout | undefined;
  /** Told what it says, and undefined when it has ended. */
  hear: (message: FromReader | undefined) => void;
}

/** Starts threads when reads need them. A read past its deadline ends with its thread: nothing else stops SQLite for certain. */
export function createSqliteReaders({ file, threads, deadlineMs, waiting }: ReadersOptions): SqliteReaders {
  const turns = createTenantTurns({
    places: threads,
    waiting,
    refusal: () => new ReadsBusy('too many reads of this organization wait'),
  });
  const idle: Thread[] = [];
  const all = new Set<Thread>();
  let closed = false;

  const end = (thread: Thread): Promise<unknown> => {
    clearTimeout(thread.idle);
    all.delete(thread);
    const at = idle.indexOf(thread);
    if (at >= 0) idle.splice(at, 1);
    return thread.worker.terminate();
  };
  const start = (): Thread => {
    const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const workerData: ReaderStart = { file, taken };
    const worker = new Worker(new URL('./reader-start.mjs', import.meta.url), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 },
    });
    worker.unref();
    const thread: Thread = { worker, idle: undefined, hear: () => undefined };
    const ended = (): void => {
      thread.hear(undefined);
      void end(thread);
    };
    worker.on('message', (message: FromReader) => {
      if (message.kind === 'rows') {
        Atomics.add(taken, 0, 1);
        Atomics.notify(taken, 0);
      }
      thread.hear(message);
    });
    worker.on('error', ended);
    worker.on('exit', ended);
    all.add(thread);
    return thread;
  };
  const take = (): Thread => {
    const thread = idle.pop() ?? start();
    clearTimeout(thread.idle);
    return thread;
  };
  const give = (thread: Thread): void => {
    if (closed) return void end(thread);
    idle.push(thread);
    thread.idle = setTimeout(() => void end(thread), idleMs).unref();
  };

  /** `found` is told at once how a read ended; `left` once its thread is free, or has ended: only then may another one run. */
  const ask = (
    thread: Thread,
    statement: Sql,
  ): { readonly found: Promise<readonly Row[]>; readonly left: Promise<unknown> } => {
    const rows: Row[] = [];
    const found = Promise.withResolvers<readonly Row[]>();
    const left = Promise.withResolvers<unknown>();
    const settle = (isReusable: boolean): void => {
      clearTimeout(late);
      thread.hear = () => undefined;
      if (isReusable) give(thread);
      left.resolve(isReusable ? undefined : end(thread));
    };
    const late = setTimeout(() => {
      settle(false);
      found.reject(new ReadTooLong('the read took longer than it may'));
    }, deadlineMs);
    thread.hear = (message) => {
      if (message?.kind === 'rows') {
        for (const row of message.rows) rows.push(row);
        return;
      }
      settle(message !== undefined && (message.kind === 'fault' || message.letters <= mostLeftBehind));
      if (message === undefined) found.reject(new StoreUnavailable('the reading thread ended'));
      else if (message.kind === 'end') found.resolve(rows);
      else found.reject(errorOf(message.fault));
    };
    const message: ToReader = { text: render(statement, 'question'), values: statement.values };
    thread.worker.postMessage(message);
    return { found: found.promise, left: left.promise };
  };

  return {
    rows: (statement, tenant) =>
      new Promise((resolve, reject) => {
        turns
          .run(tenant, async () => {
            if (closed) throw new StoreUnavailable('the store is closing');
            const { found, left } = ask(take(), statement);
            found.then(resolve, reject);
            await left;
          })
          .catch(reject);
      }),
    async close() {
      closed = true;
      await Promise.all([...all].map(end));
    },
  };
}
