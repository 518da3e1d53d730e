import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { runBatch, type Batch, type CommandOutcome } from './batch.ts';
import { connectSqlite } from './connection.ts';
import { isUnsynced } from './errors.ts';
import { indexTexts } from './text-index.ts';
import { replyOf, type FromWriter, type Reply, type ToWriter, type WriterStart } from './messages.ts';
import { loadPerformer } from './performer.ts';
import { StoreUnavailable } from '../store.ts';

const largestBatch = 128;
const busyMs = 4_000;
/** Writes after which their texts are indexed: while nothing waits, and in any case. */
const fewestUnindexed = 128;
const mostUnindexed = 512;

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
  const perform = await loadPerformer<unknown, unknown>(start.performer);
  const connection = connectSqlite(start.file, { readOnly: false, busyMs });
  const waiting: Message[] = [];
  let working = false;
  let trusted = true;
  let unindexed = fewestUnindexed;
  const send = (message: FromWriter<unknown>): void => port.postMessage(message);

  const round = async (): Promise<void> => {
    const taken = waiting.splice(0, largestBatch);
    const writes = taken.flatMap((message) => (message.kind === 'write' ? [message] : []));
    const others = taken.flatMap((message) => (message.kind === 'ping' ? [message] : []));
    const { endings, unsynced }: Batch<unknown> =
      writes.length > 0 && trusted
        ? await runBatch(
            connection,
            perform,
            writes.map(({ command }) => command),
            start.schema,
          )
        : { endings: [], unsynced: !trusted };
    trusted = !unsynced;
    unindexed += writes.length;
    const replies: Reply<unknown>[] = others.map(({ id }) => ({ id, ending: { answer: null } }));
    writes.forEach(({ id }, index) => {
      const ending: CommandOutcome<unknown> = endings[index] ?? {
        raised: new StoreUnavailable('a flush to disk has failed'),
      };
      replies.push(replyOf(id, ending));
    });
    if (replies.length > 0) send({ kind: 'done', replies, unsynced });
    if (taken.some(({ kind }) => kind === 'close')) {
      connection.close();
      port.close();
    }
  };

  const index = (): void => {
    unindexed = 0;
    try {
      if (trusted) indexTexts(connection, start.schema);
    } catch (error) {
      trusted = !(error instanceof Error && isUnsynced(error.cause));
    }
  };

  const work = async (): Promise<void> => {
    working = true;
    for (;;) {
      takeWaiting(port, waiting);
      if (unindexed >= (waiting.length === 0 ? fewestUnindexed : mostUnindexed)) index();
      else if (waiting.length > 0) await round();
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

const isStart = (data: unknown): data is WriterStart =>
  isMember(data, 'file') && isMember(data, 'performer') && isMember(data, 'schema');

const given: unknown = workerData;
if (parentPort !== null && isStart(given)) await serve(parentPort, given);
