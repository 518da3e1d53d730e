import { Worker } from 'node:worker_threads';
import { errorOf, type Fault } from './sqlite-messages.ts';
import { render, type Sql, type Value } from './sql.ts';
import { ReadTooLong, StoreUnavailable, type Row } from './store.ts';
import { createTenantTurns } from './tenant-turns.ts';

/** To a reading thread: one statement at a time. */
export interface ToReader {
  readonly text: string;
  readonly values: readonly Value[];
}

/** From a reading thread: rows as they come, then the end. */
export type FromReader =
  | { readonly kind: 'rows'; readonly rows: readonly Row[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'fault'; readonly fault: Fault };

/** How long a thread stays without work. */
const idleMs = 30_000;

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
  const turns = createTenantTurns({ places: threads, waiting });
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
    const worker = new Worker(new URL('./sqlite-reader-start.mjs', import.meta.url), {
      workerData: { file },
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 },
    });
    worker.unref();
    const thread: Thread = { worker, idle: undefined, hear: () => undefined };
    const ended = (): void => {
      thread.hear(undefined);
      void end(thread);
    };
    worker.on('message', (message: FromReader) => thread.hear(message));
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
    const settle = (isWhole: boolean): void => {
      clearTimeout(late);
      thread.hear = () => undefined;
      if (isWhole) give(thread);
      left.resolve(isWhole ? undefined : end(thread));
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
      settle(message !== undefined);
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
