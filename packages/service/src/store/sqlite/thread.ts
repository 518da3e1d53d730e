import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { errorOf, type FromWriter, type Reply, type ToWriter, type WriterStart } from './messages.ts';
import { OutcomeUnknown, StoreUnavailable } from '../store.ts';

const firstPauseMs = 50;
const longestPauseMs = 2_000;

export interface WriterOptions extends WriterStart {
  /** Called once if a flush to disk fails. The program should then stop, since no later write can be trusted. */
  readonly onUntrusted?: (error: Error) => void;
}

/** The methods of the writer thread that the main thread calls. */
export interface Writer<Command, Answer> {
  write(command: Command): Promise<Answer>;
  ping(): Promise<void>;
  pending(): number;
  close(): Promise<void>;
}

interface PendingAnswer<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** State of the thread. `down`: between a crash and the next start. `untrusted`: permanently, after a failed flush. */
type State = 'starting' | 'ready' | 'down' | 'closing' | 'untrusted';

/** The writer thread. After a crash it is restarted with an increasing delay (backoff). */
class WriterThread<Command, Answer> implements Writer<Command, Answer> {
  readonly #options: WriterOptions;
  readonly #writes = new Map<number, PendingAnswer<Answer>>();
  readonly #pings = new Map<number, PendingAnswer<void>>();
  #state: State = 'starting';
  #worker: Worker;
  #lastId = 0;
  #pauseMs = firstPauseMs;
  #drained: (() => void) | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#worker = this.#start();
  }

  /** Resolves when the thread can write. */
  async ready(): Promise<void> {
    const worker = this.#worker;
    await Promise.race([
      once(worker, 'message'),
      once(worker, 'exit').then(() => Promise.reject(new Error('the writing thread ended before it could write'))),
    ]);
  }

  write(command: Command): Promise<Answer> {
    return this.#send(this.#writes, (id) => ({ kind: 'write', id, command }));
  }

  ping(): Promise<void> {
    return this.#send(this.#pings, (id) => ({ kind: 'ping', id }));
  }

  pending(): number {
    return this.#writes.size;
  }

  async close(): Promise<void> {
    if (this.#state === 'ready' && this.#writes.size > 0)
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    if (this.#state === 'ready') {
      const workerExit = once(this.#worker, 'exit');
      this.#post({ kind: 'close' });
      this.#state = 'closing';
      await workerExit;
    }
    this.#state = 'closing';
    await this.#worker.terminate();
  }

  #start(): Worker {
    const { file, performer, schema } = this.#options;
    const worker = new Worker(new URL('./writer-start.mjs', import.meta.url), {
      workerData: { file, performer, schema },
      // Writes produce little garbage, so a larger young generation would only waste memory.
      resourceLimits: { maxYoungGenerationSizeMb: 6 },
    });
    let cause: unknown;
    worker.on('message', (message: FromWriter<Answer>) => this.#receive(message));
    worker.on('error', (error) => (cause = error));
    worker.on('exit', () => {
      this.#failAll(new OutcomeUnknown('the writing thread ended', { cause }));
      this.#drained?.();
      if (this.#state === 'ready' || this.#state === 'down') this.#restartLater();
    });
    return worker;
  }

  #restartLater(): void {
    this.#state = 'down';
    setTimeout(() => {
      if (this.#state === 'down') this.#worker = this.#start();
    }, this.#pauseMs).unref();
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }

  #receive(message: FromWriter<Answer>): void {
    if (message.kind === 'ready') {
      this.#state = 'ready';
      this.#pauseMs = firstPauseMs;
      return;
    }
    message.replies.forEach((reply) => this.#settle(reply));
    if (message.unsynced) this.#distrust();
    if (this.#writes.size === 0) this.#drained?.();
  }

  #settle({ id, ending }: Reply<Answer>): void {
    this.#pings.get(id)?.resolve();
    this.#pings.delete(id);
    const waitingWrite = this.#writes.get(id);
    this.#writes.delete(id);
    if ('answer' in ending) waitingWrite?.resolve(ending.answer);
    else waitingWrite?.reject(errorOf(ending.fault));
  }

  #failAll(error: Error): void {
    const waitingCalls = [...this.#writes.values(), ...this.#pings.values()];
    this.#writes.clear();
    this.#pings.clear();
    waitingCalls.forEach(({ reject }) => reject(error));
  }

  #distrust(): void {
    if (this.#state === 'untrusted') return;
    this.#state = 'untrusted';
    this.#options.onUntrusted?.(new StoreUnavailable('a flush to disk has failed'));
  }

  #send<Result>(
    pendingAnswers: Map<number, PendingAnswer<Result>>,
    messageOf: (id: number) => ToWriter<Command>,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      this.#post(messageOf(this.#lastId));
      pendingAnswers.set(this.#lastId, { resolve, reject });
    });
  }

  #post(message: ToWriter<Command>): void {
    if (this.#state !== 'ready') throw new StoreUnavailable(`the writing thread is ${this.#state}`);
    this.#worker.postMessage(JSON.stringify(message));
  }
}

/**
 * Starts the thread, and resolves when the thread can write. If the thread crashes, running writes fail with
 * OutcomeUnknown. Later writes fail with StoreUnavailable until the thread is restarted.
 */
export async function startWriter<Command, Answer>(options: WriterOptions): Promise<Writer<Command, Answer>> {
  const thread = new WriterThread<Command, Answer>(options);
  await thread.ready();
  return thread;
}
