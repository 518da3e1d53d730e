import { createTenantTurns } from '../../../concurrency/tenant-turns.ts';
import { render, type Sql } from '../../sql.ts';
import { ReadsBusy, ReadTooLong, StoreUnavailable, type Reader, type Row } from '../../store.ts';
import { sqliteDialect } from '../dialect.ts';
import { errorOf } from '../messages.ts';
import { createReadingThreads, type ReadingThread, type ReadingThreads, type ToReader } from './threads.ts';

/** Number of characters of results after which a thread is replaced, in order to release its memory. */
const maxResultCharacters = 16 * 1024 ** 2;

export interface ReadersOptions {
  readonly file: string;
  /** Maximum number of threads. Threads start on demand. */
  readonly threads: number;
  readonly deadlineMs: number;
  /** Maximum number of waiting reads per tenant. */
  readonly waiting: number;
}

/** Reads on separate threads. */
export interface SqliteReaders {
  /** Returns the rows of a statement. Raises ReadTooLong, ReadsBusy, StoreUnavailable. */
  rows(statement: Sql, tenant: string): Promise<readonly Row[]>;
  /**
   * Runs work whose reads share one transaction and one deadline. Raises ReadTooLong, ReadsBusy, StoreUnavailable, and
   * what the work raises.
   */
  transact<Result>(tenant: string, work: (reader: Reader) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/**
 * State of a thread after a read. `full`: the thread has reached its memory limit. `lost`: the thread has ended, or
 * must be ended to stop the read.
 */
type ThreadState = 'free' | 'full' | 'lost';

/** A running read. */
interface ThreadRead {
  /** Settles as soon as the result of the read is known. Raises ReadTooLong, StoreUnavailable. */
  readonly found: Promise<readonly Row[]>;
  /** Resolves when the thread has answered or the deadline has passed. */
  readonly ended: Promise<ThreadState>;
}

function readOn(thread: ReadingThread, statement: Sql, inTransaction: boolean, untilMs: number): ThreadRead {
  const rows: Row[] = [];
  const result = Promise.withResolvers<readonly Row[]>();
  const threadState = Promise.withResolvers<ThreadState>();
  const settle = (state: ThreadState): void => {
    clearTimeout(timer);
    thread.hear = () => undefined;
    threadState.resolve(state);
  };
  const timer = setTimeout(
    () => {
      settle('lost');
      result.reject(new ReadTooLong('the read took longer than it may'));
    },
    Math.max(0, untilMs - performance.now()),
  );
  thread.hear = (message) => {
    if (message?.kind === 'rows') {
      for (const row of message.rows) rows.push(row);
      return;
    }
    if (message === undefined) {
      settle('lost');
      result.reject(new StoreUnavailable('the reading thread ended'));
    } else if (message.kind === 'fault') {
      // The texts of the read still fill the memory of the thread. Also, if a function has aborted a statement, Node
      // fails when the statement is used again.
      settle(message.fault.kind === 'late' ? 'full' : 'free');
      result.reject(errorOf(message.fault));
    } else {
      settle(message.letters > maxResultCharacters ? 'full' : 'free');
      result.resolve(rows);
    }
  };
  const { values } = statement;
  thread.send({ kind: 'read', text: render(statement, 'question'), values, inTransaction });
  return { found: result.promise, ended: threadState.promise };
}

const leave = async (threads: ReadingThreads, thread: ReadingThread, state: ThreadState): Promise<void> => {
  if (state === 'free') threads.give(thread);
  else await threads.end(thread);
};

const endTransaction: ToReader = { kind: 'end' };

/**
 * Runs work whose reads run one after the other, in a transaction on one thread. Afterwards, releases or ends the
 * thread.
 */
async function transactOn<Result>(
  threads: ReadingThreads,
  untilMs: number,
  work: (reader: Reader) => Promise<Result>,
): Promise<Result> {
  const thread = threads.take();
  let state: ThreadState = 'free';
  let isOver = false;
  let lastRead: Promise<unknown> = Promise.resolve();
  const readRows = async (statement: Sql): Promise<readonly Row[]> => {
    if (state === 'lost' || !thread.isAlive()) throw new StoreUnavailable('the reading thread ended');
    const { found, ended } = readOn(thread, statement, true, untilMs);
    found.catch(() => undefined);
    const newState = await ended;
    if (state !== 'full' || newState === 'lost') state = newState;
    return found;
  };
  try {
    return await work({
      dialect: sqliteDialect,
      rows: async (statement) => {
        // The work has ended, so another caller may already use the thread.
        if (isOver) throw new StoreUnavailable('the snapshot has ended');
        const nextRead = lastRead.then(() => readRows(statement));
        lastRead = nextRead.catch(() => undefined);
        return nextRead;
      },
    });
  } finally {
    isOver = true;
    await lastRead;
    thread.send(endTransaction);
    await leave(threads, thread, state);
  }
}

/**
 * Creates readers that start threads on demand. If a read exceeds its deadline, its thread is ended, since nothing else
 * stops SQLite reliably.
 */
export function createSqliteReaders({ file, threads: count, deadlineMs, waiting }: ReadersOptions): SqliteReaders {
  const turns = createTenantTurns({
    places: count,
    waiting,
    refusal: () => new ReadsBusy('too many reads of this organization wait'),
  });
  const threads = createReadingThreads(file);
  const refuseWhenClosed = (): void => {
    if (threads.isClosed()) throw new StoreUnavailable('the store is closing');
  };
  return {
    rows: (statement, tenant) =>
      new Promise((resolve, reject) => {
        turns
          .run(tenant, async () => {
            refuseWhenClosed();
            const thread = threads.take();
            const { found, ended } = readOn(thread, statement, false, performance.now() + deadlineMs);
            found.then(resolve, reject);
            // The next read may start only when the thread is free or has ended.
            await leave(threads, thread, await ended);
          })
          .catch(reject);
      }),
    transact: (tenant, work) =>
      turns.run(tenant, async () => {
        refuseWhenClosed();
        return transactOn(threads, performance.now() + deadlineMs, work);
      }),
    close: () => threads.close(),
  };
}
