import { isObject } from '@inlay/contract';
import type { Child, ChildDeath } from './child-process.ts';
import { EngineProblem, type Batch } from './engine.ts';
import { kinds, parsed, type Frame } from './frames.ts';
import type { ChildEnd, ChildFault, ChildRequest } from './messages.ts';

/** How long a child may take to give up a statement before it is killed. */
const patienceMs = 600;

/** Raised when the child has died under a request, or can serve no more. */
export class ChildDied extends Error {
  readonly death: ChildDeath;

  constructor(death: ChildDeath) {
    super('an engine child has died');
    this.death = death;
  }
}

/** What a caller hears where a child has died under a request that cannot be run again; other errors as they are. */
export const deathTold = (error: unknown): unknown =>
  error instanceof ChildDied ? new EngineProblem(error.death === 'memory' ? 'memory' : 'failed') : error;

export interface AttemptSpec {
  readonly request: ChildRequest;
  /** Batches of the tables that are handed in, by the index of the table. */
  readonly batches: ReadonlyMap<number, AsyncIterator<Batch>>;
  /** Time for the engine's own work; waiting for the reader is not counted. */
  readonly deadlineMs: number;
  readonly progress?: (rows: number, bytes: number) => void;
}

/** One run of a request on one child. Its promises may be left unread. */
export interface Attempt {
  /** Settles with the first bytes or the end. Rejects with ChildDied, EngineProblem, or the reason of the signal. */
  readonly begun: Promise<void>;
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly ended: Promise<ChildEnd>;
  /** Gives it up where it has not ended. */
  readonly stop: () => void;
  /** The child is free of it. */
  readonly left: Promise<void>;
}

const isEnd = (value: unknown): value is ChildEnd => isObject(value) && 'op' in value;
const isFault = (value: unknown): value is ChildFault => isObject(value) && 'cause' in value;

function problemOf(value: unknown): Error {
  if (!isFault(value)) return new EngineProblem('failed');
  if (value.cause === 'descriptors') return new ChildDied('unknown');
  return new EngineProblem(value.cause === 'interrupted' ? 'deadline' : value.cause, value.detail);
}

export function startAttempt(child: Child, spec: AttemptSpec, signal: AbortSignal): Attempt {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<ChildEnd>();
  const left = Promise.withResolvers<void>();
  for (const { promise } of [begun, ended]) promise.catch(() => undefined);
  const queue: Buffer[] = [];
  let outcome: { readonly error: unknown } | 'end' | null = null;
  let wake = (): void => undefined;
  let spentMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let sinceMs = 0;

  const pause = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    spentMs += performance.now() - sinceMs;
  };
  const go = (): void => {
    if (timer !== undefined || outcome !== null) return;
    sinceMs = performance.now();
    timer = setTimeout(() => stop(new EngineProblem('deadline')), Math.max(0, spec.deadlineMs - spentMs));
  };
  const settle = (how: { readonly error: unknown } | ChildEnd): void => {
    if (outcome !== null) return;
    pause();
    outcome = 'error' in how ? how : 'end';
    if ('error' in how) {
      begun.reject(how.error);
      ended.reject(how.error);
    } else {
      begun.resolve();
      ended.resolve(how);
    }
    signal.removeEventListener('abort', abort);
    wake();
  };
  const leave = (): void => {
    child.forget(job);
    clearTimeout(killing);
    for (const iterator of spec.batches.values()) void iterator.return?.().then(undefined, () => undefined);
    left.resolve();
  };
  let killing: NodeJS.Timeout | undefined;
  /** The caller hears of it now; the child gets a moment to give up by itself. */
  const stop = (error: unknown): void => {
    if (outcome !== null) return;
    child.cancel(job);
    killing = setTimeout(() => child.kill('unresponsive'), patienceMs);
    queue.length = 0;
    settle({ error });
  };
  const abort = (): void => stop(signal.reason);
  const hand = async (table: number): Promise<void> => {
    try {
      const { value, done } = (await spec.batches.get(table)?.next()) ?? { value: undefined, done: true };
      child.batch(job, done === true ? '' : typeof value === 'string' ? value : JSON.stringify(value));
    } catch (error) {
      stop(error);
    }
  };
  const hear = (frame: Frame | null): void => {
    if (frame === null) {
      settle({ error: new ChildDied(child.death()) });
      leave();
    } else if (frame.kind === kinds.chunk) {
      if (outcome !== null) return;
      pause();
      queue.push(frame.payload);
      begun.resolve();
      wake();
    } else if (frame.kind === kinds.want) {
      const table = parsed(frame.payload);
      if (typeof table === 'number') void hand(table);
    } else if (frame.kind === kinds.progress) {
      const value = parsed(frame.payload);
      if (isObject(value)) spec.progress?.(Number(value['rows']), Number(value['bytes']));
    } else {
      const value = parsed(frame.payload);
      if (isFault(value) && value.cause === 'descriptors') child.retire('descriptors');
      settle(frame.kind === kinds.end && isEnd(value) ? value : { error: problemOf(value) });
      leave();
    }
  };
  const job = child.start(spec.request, hear);
  void child.ready.then(go);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort);

  const giveUp = (): void => stop(new EngineProblem('failed', 'nobody reads the answer'));

  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const next = queue.shift();
        if (next !== undefined) {
          if (queue.length === 0) go();
          yield next;
          child.credit(job, next.length);
        } else if (outcome === null) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        } else if (outcome === 'end') return;
        else throw outcome.error;
      }
    } finally {
      giveUp();
    }
  }
  return { begun: begun.promise, chunks: chunks(), ended: ended.promise, stop: giveUp, left: left.promise };
}
