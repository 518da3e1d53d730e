import { isObject } from '@inlay/contract';
import type { Child, ChildDeath } from './child-process.ts';
import { EngineProblem, type Batch } from './engine.ts';
import { kinds, parsed, type Frame } from './frames.ts';
import type { ChildEnd, ChildFault, ChildRequest } from './messages.ts';

/** Time for a child to cancel a statement before it is killed. */
const patienceMs = 600;

/** Raised when the child that runs a request dies, or when a child accepts no more requests. */
export class ChildDied extends Error {
  readonly death: ChildDeath;

  constructor(death: ChildDeath) {
    super('an engine child has died');
    this.death = death;
  }
}

/** Converts ChildDied to an EngineProblem for requests that cannot be repeated; returns other errors unchanged. */
export const deathTold = (error: unknown): unknown =>
  error instanceof ChildDied ? new EngineProblem(error.death === 'memory' ? 'memory' : 'failed') : error;

export interface AttemptSpec {
  readonly request: ChildRequest;
  /** For each table with rows from elsewhere: the batches to send, by the index of the table in the request. */
  readonly batches: ReadonlyMap<number, AsyncIterator<Batch>>;
  /** Time limit of the engine's own work in ms. The time that the engine waits for the consumer does not count. */
  readonly deadlineMs: number;
  readonly progress?: (rows: number, bytes: number) => void;
}

const isEnd = (value: unknown): value is ChildEnd => isObject(value) && 'op' in value;
const isFault = (value: unknown): value is ChildFault => isObject(value) && 'cause' in value;

function problemOf(value: unknown): Error {
  if (!isFault(value)) return new EngineProblem('failed');
  if (value.cause === 'descriptors') return new ChildDied('unknown');
  return new EngineProblem(value.cause === 'interrupted' ? 'deadline' : value.cause, value.detail);
}

type Outcome = { readonly error: unknown } | 'end';

/** One execution of a request on one child. Callers may ignore its promises: a rejection is always handled. */
export class Attempt {
  readonly #child: Child;
  readonly #spec: AttemptSpec;
  readonly #signal: AbortSignal;
  readonly #job: number;
  readonly #begun = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<ChildEnd>();
  readonly #left = Promise.withResolvers<void>();
  readonly #queue: Buffer[] = [];
  #outcome: Outcome | null = null;
  #wake = (): void => undefined;
  #spentMs = 0;
  #sinceMs = 0;
  #deadline: NodeJS.Timeout | undefined;
  #killing: NodeJS.Timeout | undefined;

  /** Starts the request. */
  constructor(child: Child, spec: AttemptSpec, signal: AbortSignal) {
    this.#child = child;
    this.#spec = spec;
    this.#signal = signal;
    for (const { promise } of [this.#begun, this.#ended]) promise.catch(() => undefined);
    this.#job = child.start(spec.request, (frame) => this.#receive(frame));
    void child.ready.then(() => this.#resumeDeadline());
    if (signal.aborted) this.#abort();
    else signal.addEventListener('abort', this.#abort);
  }

  /** Resolves with the first bytes or the end. Rejects with ChildDied, EngineProblem, or the signal's reason. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  get ended(): Promise<ChildEnd> {
    return this.#ended.promise;
  }

  /** Resolves when the child has finished the request. */
  get left(): Promise<void> {
    return this.#left.promise;
  }

  /** Cancels the request if it is still running. */
  stop(): void {
    if (this.#outcome !== null) return;
    this.#cancel(new EngineProblem('failed', 'nobody reads the answer'));
  }

  /** Yields the bytes of the answer; can be iterated once. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const batch = this.#queue.shift();
        if (batch !== undefined) {
          if (this.#queue.length === 0) this.#resumeDeadline();
          yield batch;
          // The child needs no credit for a request that has ended.
          if (this.#outcome === null) this.#child.credit(this.#job, batch.length);
        } else if (this.#outcome === null) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        } else if (this.#outcome === 'end') return;
        else throw this.#outcome.error;
      }
    } finally {
      this.stop();
    }
  }

  #pauseDeadline(): void {
    if (this.#deadline === undefined) return;
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
    this.#spentMs += performance.now() - this.#sinceMs;
  }

  #resumeDeadline(): void {
    if (this.#deadline !== undefined || this.#outcome !== null) return;
    this.#sinceMs = performance.now();
    const leftMs = Math.max(0, this.#spec.deadlineMs - this.#spentMs);
    this.#deadline = setTimeout(() => this.#cancel(new EngineProblem('deadline')), leftMs);
  }

  #settle(result: { readonly error: unknown } | ChildEnd): void {
    if (this.#outcome !== null) return;
    this.#pauseDeadline();
    if ('error' in result) {
      this.#outcome = result;
      this.#begun.reject(result.error);
      this.#ended.reject(result.error);
    } else {
      this.#outcome = 'end';
      this.#begun.resolve();
      this.#ended.resolve(result);
    }
    this.#signal.removeEventListener('abort', this.#abort);
    this.#wake();
  }

  /** Releases the child. */
  #leave(): void {
    this.#child.forget(this.#job);
    clearTimeout(this.#killing);
    for (const iterator of this.#spec.batches.values()) void iterator.return?.().then(undefined, () => undefined);
    this.#left.resolve();
  }

  /** Rejects the caller immediately. Kills the child if it does not cancel the statement within `patienceMs`. */
  #cancel(error: unknown): void {
    if (this.#outcome !== null) return;
    this.#child.cancel(this.#job);
    this.#killing = setTimeout(() => this.#child.kill('unresponsive'), patienceMs);
    this.#queue.length = 0;
    this.#settle({ error });
  }

  readonly #abort = (): void => this.#cancel(this.#signal.reason);

  /** Sends the next batch of a table. */
  async #sendBatch(table: number): Promise<void> {
    try {
      const { value, done } = (await this.#spec.batches.get(table)?.next()) ?? { value: undefined, done: true };
      this.#child.batch(this.#job, done === true ? '' : typeof value === 'string' ? value : JSON.stringify(value));
    } catch (error) {
      this.#cancel(error);
    }
  }

  #receive(frame: Frame | null): void {
    if (frame === null) {
      this.#settle({ error: new ChildDied(this.#child.death()) });
      this.#leave();
    } else if (frame.kind === kinds.chunk) this.#receiveChunk(frame.payload);
    else if (frame.kind === kinds.want) {
      const table = parsed(frame.payload);
      if (typeof table === 'number') void this.#sendBatch(table);
    } else if (frame.kind === kinds.progress) {
      const value = parsed(frame.payload);
      if (isObject(value)) this.#spec.progress?.(Number(value['rows']), Number(value['bytes']));
    } else this.#receiveEnd(frame);
  }

  #receiveChunk(payload: Buffer): void {
    if (this.#outcome !== null) return;
    this.#pauseDeadline();
    this.#queue.push(payload);
    this.#begun.resolve();
    this.#wake();
  }

  #receiveEnd({ kind, payload }: Frame): void {
    const value = parsed(payload);
    if (isFault(value) && value.cause === 'descriptors') this.#child.retire('descriptors');
    this.#settle(kind === kinds.end && isEnd(value) ? value : { error: problemOf(value) });
    this.#leave();
  }
}
