import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { errorOf, type FromWriter, type Reply, type ToWriter, type WriterStart } from './messages.ts';
import { OutcomeUnknown, StoreUnavailable } from '../store.ts';

const firstPauseMs = 50;
const longestPauseMs = 2_000;

export interface WriterOptions extends WriterStart {
  /** Told once when a flush to disk has failed: the program should stop, since no later write can be trusted. */
  readonly onUntrusted?: (error: Error) => void;
}

/** The writing thread as seen from the thread that answers requests. */
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

/** Where the thread is: `down` between a crash and the next start, `untrusted` after a failed flush, for good. */
type State = 'starting' | 'ready' | 'down' | 'closing' | 'untrusted';

/**
 * Starts the thread and resolves when it can write. A thread that dies is started again after a growing pause; what was
 * sent to it fails with OutcomeUnknown, what comes meanwhile with StoreUnavailable.
 */
export async function startWriter<Command, Answer>(options: WriterOptions): Promise<Writer<Command, Answer>> {
  const { file, performer, schema } = options;
  const waiting = new Map<number, PendingAnswer<Answer>>();
  const pings = new Map<number, PendingAnswer<void>>();
  let state: State = 'starting';
  let worker: Worker | undefined;
  let lastId = 0;
  let pauseMs = firstPauseMs;
  let drained: (() => void) | undefined;

  const settle = ({ id, ending }: Reply<Answer>): void => {
    pings.get(id)?.resolve();
    pings.delete(id);
    const caller = waiting.get(id);
    waiting.delete(id);
    if ('answer' in ending) caller?.resolve(ending.answer);
    else caller?.reject(errorOf(ending.fault));
  };

  const failAll = (error: Error): void => {
    const left = [...waiting.values(), ...pings.values()];
    waiting.clear();
    pings.clear();
    left.forEach(({ reject }) => reject(error));
  };

  const distrust = (): void => {
    if (state === 'untrusted') return;
    state = 'untrusted';
    options.onUntrusted?.(new StoreUnavailable('a flush to disk has failed'));
  };

  const receive = (message: FromWriter<Answer>): void => {
    if (message.kind === 'ready') {
      state = 'ready';
      pauseMs = firstPauseMs;
      return;
    }
    message.replies.forEach(settle);
    if (message.unsynced) distrust();
    if (waiting.size === 0) drained?.();
  };

  const start = (): Worker => {
    const started = new Worker(new URL('./writer-start.mjs', import.meta.url), {
      workerData: { file, performer, schema },
      // Writes leave little behind; a larger nursery only holds memory.
      resourceLimits: { maxYoungGenerationSizeMb: 6 },
    });
    let cause: unknown;
    started.on('message', receive);
    started.on('error', (error) => (cause = error));
    started.on('exit', () => {
      failAll(new OutcomeUnknown('the writing thread ended', { cause }));
      drained?.();
      if (state === 'ready' || state === 'down') restartLater();
    });
    return started;
  };

  const restartLater = (): void => {
    state = 'down';
    setTimeout(() => {
      if (state === 'down') worker = start();
    }, pauseMs).unref();
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  };

  const post = (message: ToWriter<Command>): void => {
    if (worker === undefined || state !== 'ready') throw new StoreUnavailable(`the writing thread is ${state}`);
    worker.postMessage(JSON.stringify(message));
  };

  worker = start();
  await Promise.race([
    once(worker, 'message'),
    once(worker, 'exit').then(() => Promise.reject(new Error('the writing thread ended before it could write'))),
  ]);

  const ask = <Result>(
    callers: Map<number, PendingAnswer<Result>>,
    message: (id: number) => ToWriter<Command>,
  ): Promise<Result> =>
    new Promise((resolve, reject) => {
      lastId += 1;
      post(message(lastId));
      callers.set(lastId, { resolve, reject });
    });

  return {
    write: (command) => ask(waiting, (id) => ({ kind: 'write', id, command })),
    ping: () => ask(pings, (id) => ({ kind: 'ping', id })),
    pending: () => waiting.size,
    async close() {
      if (state === 'ready' && waiting.size > 0) await new Promise<void>((resolve) => (drained = resolve));
      if (state === 'ready' && worker !== undefined) {
        const ended = once(worker, 'exit');
        post({ kind: 'close' });
        state = 'closing';
        await ended;
      }
      state = 'closing';
      await worker?.terminate();
    },
  };
}
