import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { runBatch, type Batch, type Ending } from './batch.ts';
import { connectSqlite } from './connection.ts';
import { isUnsynced } from './errors.ts';
import { indexTexts } from './text-index.ts';
import { sql } from '../sql.ts';
import { replyOf, type FromWriter, type Reply, type ToWriter, type WriterStart } from './messages.ts';
import { loadPerformer } from './performer.ts';
import { StoreUnavailable } from '../store.ts';

const largestBatch = 128;
const busyMs = 4_000;
/** Writes after which their texts are indexed: while nothing waits, and in any case. */
const fewestUnindexed = 128;
const mostUnindexed = 512;
/** Writes on another connection after which the log is moved into the file, once nothing waits. */
const fewestUnmoved = 384;

type Message = ToWriter<unknown>;

const read = (message: string): Message => JSON.parse(message);

const isMember = (holder: unknown, member: string): holder is Readonly<Record<string, unknown>> =>
  typeof holder === 'object' && holder !== null && member in holder;

/** Takes whatever waits at the port behind the first message, up to a full batch. */
function takeWaiting(port: MessagePort, taken: Message[]): void {
  while (taken.length < largestBatch) {
    const next: { message: string } | undefined = receiveMessageOnPort(port);
    if (next === undefined) return;
    taken.push(read(next.message));
  }
}

/** Serves one port until it is told to close: all commands that wait share one transaction and one flush. */
async function serve(port: MessagePort, start: WriterStart): Promise<void> {
  const { perform } = await loadPerformer<unknown, unknown>(start.performer);
  const connection = connectSqlite(start.file, { readOnly: false, busyMs });
  const waiting: Message[] = [];
  let working = false;
  let trusted = true;
  let unindexed = fewestUnindexed;
  let unmoved = 0;
  const send = (message: FromWriter<unknown>): void => port.postMessage(message);

  const round = async (): Promise<void> => {
    const taken = waiting.splice(0, largestBatch);
    const writes = taken.flatMap((message) => (message.kind === 'write' ? [message] : []));
    const others = taken.flatMap((message) => (message.kind === 'ping' || message.kind === 'tidy' ? [message] : []));
    for (const message of others) if (message.kind === 'tidy') tidy(message.writes);
    const { endings, flushMs, unsynced }: Batch<unknown> =
      writes.length > 0 && trusted
        ? await runBatch(
            connection,
            perform,
            writes.map(({ command }) => command),
          )
        : { endings: [], flushMs: null, unsynced: !trusted };
    trusted = !unsynced;
    unindexed += writes.length;
    const replies: Reply<unknown>[] = others.map(({ id }) => ({ id, ending: { answer: null } }));
    writes.forEach(({ id }, index) => {
      const ending: Ending<unknown> = endings[index] ?? { raised: new StoreUnavailable('a flush to disk has failed') };
      replies.push(replyOf(id, ending));
    });
    if (replies.length > 0) send({ kind: 'done', replies, flushMs, unsynced });
    if (taken.some(({ kind }) => kind === 'close')) {
      connection.close();
      port.close();
    }
  };

  const housekeeping = (work: () => void): void => {
    try {
      if (trusted) work();
    } catch (error) {
      trusted = !(error instanceof Error && isUnsynced(error.cause));
    }
  };

  const index = (): void => {
    unindexed = 0;
    housekeeping(() => indexTexts(connection));
  };

  /** Moves the log into the file, beside which others may write. */
  const move = (): void => {
    unmoved = 0;
    housekeeping(() => void connection.rows(sql`pragma wal_checkpoint(passive)`));
  };

  /** After writes on another connection, which leaves to this thread what takes long. */
  const tidy = (writes: number): void => {
    unindexed += writes;
    unmoved += writes;
    if (unindexed >= fewestUnindexed) index();
  };

  const work = async (): Promise<void> => {
    working = true;
    for (;;) {
      takeWaiting(port, waiting);
      if (unindexed >= (waiting.length === 0 ? fewestUnindexed : mostUnindexed)) index();
      else if (waiting.length > 0) await round();
      else if (unmoved >= fewestUnmoved) move();
      else break;
    }
    working = false;
  };

  port.on('message', (message: string) => {
    waiting.push(read(message));
    if (!working) void work();
  });
  send({ kind: 'ready' });
}

const isStart = (data: unknown): data is WriterStart => isMember(data, 'file') && isMember(data, 'performer');

const given: unknown = workerData;
if (parentPort !== null && isStart(given)) await serve(parentPort, given);
