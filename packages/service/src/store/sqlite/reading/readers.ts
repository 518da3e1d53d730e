import { createTenantTurns } from '../../../concurrency/tenant-turns.ts';
import { render, type Sql } from '../../sql.ts';
import { ReadsBusy, ReadTooLong, StoreUnavailable, type Reader, type Row } from '../../store.ts';
import { sqliteDialect } from '../dialect.ts';
import { errorOf } from '../messages.ts';
import { createReadingThreads, type ReadingThread, type ReadingThreads, type ToReader } from './threads.ts';

/** Letters that reads may leave behind in their thread; after more, the thread ends and gives its memory back. */
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
  /** Work whose reads share a transaction; they are over by one deadline. Raises the same, and what the work raises. */
  transact<Result>(tenant: string, work: (reader: Reader) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** A thread after a read. `full`: of what the read left behind. `lost`: it has ended, or nothing else would stop it. */
type ThreadState = 'free' | 'full' | 'lost';

/** A read under way. */
interface ThreadRead {
  /** Told at once how the read ended. Raises ReadTooLong, StoreUnavailable. */
  readonly found: Promise<readonly Row[]>;
  /** Resolves when the thread has answered or the deadline has passed. */
  readonly ended: Promise<ThreadState>;
}

function readOn(thread: ReadingThread, statement: Sql, inTransaction: boolean, untilMs: number): ThreadRead {
  const rows: Row[] = [];
  const found = Promise.withResolvers<readonly Row[]>();
  const ended = Promise.withResolvers<ThreadState>();
  const settle = (state: ThreadState): void => {
    clearTimeout(late);
    thread.hear = () => undefined;
    ended.resolve(state);
  };
  const late = setTimeout(
    () => {
      settle('lost');
      found.reject(new ReadTooLong('the read took longer than it may'));
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
      found.reject(new StoreUnavailable('the reading thread ended'));
    } else if (message.kind === 'fault') {
      // Its texts fill the thread, and Node fails the next use of a statement that a function ended.
      settle(message.fault.kind === 'late' ? 'full' : 'free');
      found.reject(errorOf(message.fault));
    } else {
      settle(message.letters > mostLeftBehind ? 'full' : 'free');
      found.resolve(rows);
    }
  };
  const { values } = statement;
  thread.send({ kind: 'read', text: render(statement, 'question'), values, inTransaction });
  return { found: found.promise, ended: ended.promise };
}

const leave = async (threads: ReadingThreads, thread: ReadingThread, state: ThreadState): Promise<void> => {
  if (state === 'free') threads.give(thread);
  else await threads.end(thread);
};

const endTransaction: ToReader = { kind: 'end' };

/** Does work whose reads run one after the other in a transaction on a thread, which it leaves free or ended. */
async function transactOn<Result>(
  threads: ReadingThreads,
  untilMs: number,
  work: (reader: Reader) => Promise<Result>,
): Promise<Result> {
  const thread = threads.take();
  let state: ThreadState = 'free';
  let isOver = false;
  let last: Promise<unknown> = Promise.resolve();
  const read = async (statement: Sql): Promise<readonly Row[]> => {
    if (state === 'lost' || !thread.isAlive()) throw new StoreUnavailable('the reading thread ended');
    const { found, ended } = readOn(thread, statement, true, untilMs);
    found.catch(() => undefined);
    const after = await ended;
    if (state !== 'full' || after === 'lost') state = after;
    return found;
  };
  try {
    return await work({
      dialect: sqliteDialect,
      rows: async (statement) => {
        // The thread may be with somebody else by now.
        if (isOver) throw new StoreUnavailable('the snapshot has ended');
        const next = last.then(() => read(statement));
        last = next.catch(() => undefined);
        return next;
      },
    });
  } finally {
    isOver = true;
    await last;
    thread.send(endTransaction);
    await leave(threads, thread, state);
  }
}

/** Starts threads when reads need them. A read past its deadline ends with its thread: nothing else stops SQLite for certain. */
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
            // Only when the thread is free, or has ended, may another read run.
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
