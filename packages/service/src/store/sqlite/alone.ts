import { runBatch, type Ending } from './batch.ts';
import type { SqliteConnection } from './connection.ts';
import { isBusy } from './errors.ts';
import { loadPerformer } from './performer.ts';
import type { Reads } from './reads.ts';
import { startWriter, type Writer, type WriterOptions } from './thread.ts';

/** Where more than a quarter of the newest flushes were slow, the writing thread waits for them. */
const mostSlow = 0.25;
/** How much the newest flush counts. */
const newest = 0.1;
/** A flush that nobody else waits for is slow from here on: about as long as who comes meanwhile may have to wait. */
const slowForNobodyMs = 10;
/** Writes that must have come without another one before one is taken for alone. */
const lonelyAfter = 16;
/** Room for the pages that many callers read; the writing thread moves the log into the file, unless it falls far behind. */
const settings = ['pragma cache_size = -6144', 'pragma wal_autocheckpoint = 16000'];
/** The writing thread is told of so many writes, to tidy up after them, or of fewer once there are none for a while. */
const mostUntold = 512;
const restMs = 20;

export interface Writing<Command, Answer> extends Writer<Command, Answer> {
  /** Resolves when nothing is being written on this thread. */
  settled(): Promise<void>;
}

/** Whether the newest flushes took no longer than so many milliseconds; not before several have been seen. */
function pace(limitMs: number): { readonly flushed: (ms: number) => void; readonly isFast: () => boolean } {
  let slow = 1;
  return {
    flushed(ms) {
      slow += ((ms > limitMs ? 1 : 0) - slow) * newest;
    },
    isFast: () => slow <= mostSlow,
  };
}

interface Came<Command, Answer> {
  readonly command: Command;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes on the thread that answers where one is alone and flushes are fast: the way to the other thread and back takes
 * longer than such a flush. In company they are sent to the writing thread, which flushes once for many. Both run the same
 * batches; which of them runs one is a matter of time alone, for the file's own lock decides who writes.
 */
export async function startWriting<Command, Answer>(
  options: WriterOptions,
  connection: SqliteConnection,
  reads: Reads,
): Promise<Writing<Command, Answer>> {
  const { fastFlushMs = 1, othersWait = () => true } = options;
  const inCompany = pace(fastFlushMs);
  const forNobody = pace(Math.max(fastFlushMs, slowForNobodyMs));
  const flushed = (ms: number): void => {
    inCompany.flushed(ms);
    forNobody.flushed(ms);
  };
  const isFast = (): boolean => inCompany.isFast() || (forNobody.isFast() && !othersWait());
  const thread = await startWriter<Command, Answer>({ ...options, onFlush: flushed });
  const { perform, isShort } = await loadPerformer<Command, Answer>(options.performer);
  for (const setting of settings) connection.database.exec(setting);
  let came: readonly Came<Command, Answer>[] = [];
  let writing: Promise<void> | undefined;
  let company = lonelyAfter;
  let untold = 0;

  const tell = (): void => {
    if (untold > 0) thread.tidy(untold);
    untold = 0;
  };
  const rest = setTimeout(tell, restMs).unref();

  const isAlone = (command: Command): boolean => company === 0 && isFast() && thread.isIdle() && isShort(command);

  const send = ({ command, resolve, reject }: Came<Command, Answer>): void =>
    void thread.write(command).then(resolve, reject);

  const settle = ({ resolve, reject }: Came<Command, Answer>, ending: Ending<Answer> | undefined): void => {
    if (ending !== undefined && 'answer' in ending) resolve(ending.answer);
    else reject(ending?.raised);
  };

  const writeHere = async (one: Came<Command, Answer>): Promise<void> => {
    const batch = await reads.lend((lent) => runBatch(lent, perform, [one.command]));
    const [ending] = batch.endings;
    if (batch.flushMs !== null) flushed(batch.flushMs);
    if (batch.unsynced) thread.distrust();
    if (ending !== undefined && 'raised' in ending && isBusy(ending.raised)) {
      company = lonelyAfter;
      send(one);
      return;
    }
    untold += 1;
    if (untold === mostUntold) tell();
    rest.refresh();
    settle(one, ending);
  };

  /** At the end of a turn of the event loop, when all that came in it is known. */
  const begin = (): void => {
    const [first, second] = came;
    const all = came;
    came = [];
    if (first !== undefined && second === undefined && isAlone(first.command)) {
      writing = writeHere(first)
        .catch(first.reject)
        .finally(() => {
          writing = undefined;
          if (came.length > 0) begin();
        });
      return;
    }
    if (second !== undefined) company = lonelyAfter;
    all.forEach(send);
  };

  return {
    write: (command) => {
      if (writing === undefined && came.length === 0 && !isAlone(command)) {
        company = thread.pending() > 0 ? lonelyAfter : Math.max(0, company - 1);
        return thread.write(command);
      }
      return new Promise((resolve, reject) => {
        came = [...came, { command, resolve, reject }];
        if (came.length === 1 && writing === undefined) setImmediate(begin);
      });
    },
    ping: () => thread.ping(),
    pending: () => thread.pending() + came.length + (writing === undefined ? 0 : 1),
    async settled() {
      while (came.length > 0 || writing !== undefined)
        await (writing ?? new Promise((resolve) => setImmediate(resolve)));
    },
    close: () => {
      clearTimeout(rest);
      return thread.close();
    },
  };
}
