import { Worker } from 'node:worker_threads';
import { Problem } from '../problems/problem.ts';
import type { BodyReply, BodyRequest, BodyResults, BodyWork } from './messages.ts';

interface PendingWork {
  readonly request: BodyRequest;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** The thread ends after so long without work. */
const idleMs = 30_000;
/** Memory of the thread, in MB: a few rows as large as one may be. */
const memoryMb = 256;
/** Pieces of work at once: a short one does not wait behind a long one. */
const atOnce = 2;

const isReply = (value: unknown): value is BodyReply => typeof value === 'object' && value !== null && 'id' in value;

/** The work that a result belongs to is known by its number alone. */
const isOf = (_result: unknown): _result is never => true;

/** Works on large bodies in a thread of its own, which starts with the first of them. */
export class BodyThread {
  readonly #failed: (reason: string) => void;
  readonly #queue: PendingWork[] = [];
  readonly #running = new Map<number, PendingWork>();
  #worker: Worker | null = null;
  #requests = 0;
  #idle: NodeJS.Timeout | undefined;

  /** `failed` is called with the reason when the thread ends before its work. */
  constructor(failed: (reason: string) => void) {
    this.#failed = failed;
  }

  /** Raises Problem: what the work raises, and 503 where the thread does not have the memory. */
  work<Work extends BodyWork>(work: Work): Promise<BodyResults[Work['op']]> {
    return new Promise((resolve, reject) => {
      this.#requests += 1;
      this.#queue.push({ request: { id: this.#requests, work }, resolve, reject });
      this.#advance();
    });
  }

  /** Pieces of work that wait or run. */
  count(): number {
    return this.#queue.length + this.#running.size;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#end(null);
    await worker?.terminate();
  }

  #advance(): void {
    clearTimeout(this.#idle);
    while (this.#running.size < atOnce) {
      const next = this.#queue.shift();
      if (next === undefined) break;
      this.#running.set(next.request.id, next);
      this.#worker ??= this.#start();
      this.#worker.postMessage(next.request);
    }
    if (this.#running.size > 0 || this.#worker === null) return;
    this.#idle = setTimeout(() => this.#end(null), idleMs).unref();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      env: {},
    });
    worker.unref();
    worker.on('message', (message) => this.#receive(message));
    worker.on('error', (error) => {
      if (this.#worker === worker) this.#end(String(error));
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#end(this.#running.size > 0 ? 'the thread ended' : null);
    });
    return worker;
  }

  #receive(message: unknown): void {
    if (!isReply(message)) return;
    const pending = this.#running.get(message.id);
    this.#running.delete(message.id);
    if ('problem' in message) pending?.reject(new Problem(message.problem.code, message.problem));
    else if ('error' in message) pending?.reject(new Error(message.error));
    else if (isOf(message.result)) pending?.resolve(message.result);
    this.#advance();
  }

  /** Ends the thread, with a reason if that was not intended. */
  #end(reason: string | null): void {
    const worker = this.#worker;
    this.#worker = null;
    clearTimeout(this.#idle);
    void worker?.terminate();
    if (reason !== null) this.#failed(reason);
    const problem = new Problem('overloaded', {
      message: 'The body needs more memory than there is for reading it. Send it in parts.',
      retryAfterS: 10,
    });
    for (const { reject } of this.#running.values()) reject(problem);
    this.#running.clear();
    this.#advance();
  }
}
