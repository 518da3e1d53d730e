import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { runBatch, type Batch, type CommandOutcome } from './batch.ts';
import { connectSqlite, type SqliteConnection } from './connection.ts';
import { isUnsynced } from './errors.ts';
import { indexTexts } from './text-index.ts';
import { replyOf, type FromWriter, type Reply, type ToWriter, type WriterStart } from './messages.ts';
import { loadPerformer } from './performer.ts';
import { StoreUnavailable, type Perform } from '../store.ts';

const largestBatch = 128;
const busyMs = 4_000;
/**
 * Texts are indexed when the queue is empty and at least `fewestUnindexed` writes have happened, or after
 * `maxUnindexed` writes.
 */
const fewestUnindexed = 128;
const maxUnindexed = 512;

type Message = ToWriter<unknown>;

const parseMessage = (message: string): Message => JSON.parse(message);

const isMember = (holder: unknown, member: string): holder is Readonly<Record<string, unknown>> =>
  typeof holder === 'object' && holder !== null && member in holder;

const failedFlush = (): CommandOutcome<unknown> => ({ raised: new StoreUnavailable('a flush to disk has failed') });

/** Takes the messages that wait at the port, until a batch is full. */
function takeWaiting(port: MessagePort, messages: Message[]): void {
  while (messages.length < largestBatch) {
    const receivedMessage: { message: string } | undefined = receiveMessageOnPort(port);
    if (receivedMessage === undefined) return;
    messages.push(parseMessage(receivedMessage.message));
  }
}

/**
 * Handles the messages of a port until it closes. Commands that wait at the same time share one transaction and one
 * flush.
 */
class Writer {
  readonly #port: MessagePort;
  readonly #connection: SqliteConnection;
  readonly #perform: Perform<unknown, unknown>;
  readonly #schema: number;
  readonly #waiting: Message[] = [];
  #isWorking = false;
  /** False if a flush to disk has failed. No further writes are then accepted. */
  #isTrusted = true;
  /** Number of writes whose texts are not indexed yet. */
  #unindexed = fewestUnindexed;

  constructor(port: MessagePort, { file, schema }: WriterStart, perform: Perform<unknown, unknown>) {
    this.#port = port;
    this.#connection = connectSqlite(file, { readOnly: false, busyMs });
    this.#perform = perform;
    this.#schema = schema;
  }

  serve(): void {
    this.#port.on('message', (message: string) => {
      this.#waiting.push(parseMessage(message));
      if (!this.#isWorking) void this.#work();
    });
    this.#send({ kind: 'ready' });
  }

  #send(message: FromWriter<unknown>): void {
    this.#port.postMessage(message);
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (;;) {
      takeWaiting(this.#port, this.#waiting);
      if (this.#unindexed >= (this.#waiting.length === 0 ? fewestUnindexed : maxUnindexed)) this.#index();
      else if (this.#waiting.length > 0) await this.#round();
      else break;
    }
    this.#isWorking = false;
  }

  async #round(): Promise<void> {
    const messages = this.#waiting.splice(0, largestBatch);
    const writes = messages.flatMap((message) => (message.kind === 'write' ? [message] : []));
    const pings = messages.flatMap((message) => (message.kind === 'ping' ? [message] : []));
    const { endings, unsynced } = await this.#write(writes.map(({ command }) => command));
    this.#isTrusted = !unsynced;
    this.#unindexed += writes.length;
    const replies: Reply<unknown>[] = [
      ...pings.map(({ id }) => ({ id, ending: { answer: null } })),
      ...writes.map(({ id }, index) => replyOf(id, endings[index] ?? failedFlush())),
    ];
    if (replies.length > 0) this.#send({ kind: 'done', replies, unsynced });
    if (messages.some(({ kind }) => kind === 'close')) {
      this.#connection.close();
      this.#port.close();
    }
  }

  async #write(commands: readonly unknown[]): Promise<Batch<unknown>> {
    if (commands.length === 0 || !this.#isTrusted) return { endings: [], unsynced: !this.#isTrusted };
    return runBatch(this.#connection, this.#perform, commands, this.#schema);
  }

  #index(): void {
    this.#unindexed = 0;
    try {
      if (this.#isTrusted) indexTexts(this.#connection, this.#schema);
    } catch (error) {
      this.#isTrusted = !(error instanceof Error && isUnsynced(error.cause));
    }
  }
}

const isStart = (data: unknown): data is WriterStart =>
  isMember(data, 'file') && isMember(data, 'performer') && isMember(data, 'schema');

const settings: unknown = workerData;
if (parentPort !== null && isStart(settings)) {
  const perform = await loadPerformer<unknown, unknown>(settings.performer);
  new Writer(parentPort, settings, perform).serve();
}
