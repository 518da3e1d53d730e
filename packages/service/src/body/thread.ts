import { Worker } from 'node:worker_threads';
import { Problem } from '../problems/problem.ts';
import type { BodyReply, BodyRequest, BodyResults, BodyWork } from './messages.ts';

interface PendingWork {
  readonly request: BodyRequest;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Idle time in ms after which the thread ends. */
const idleMs = 30_000;
/** Heap limit of the thread, in MB: enough for a few rows of maximum size. */
const memoryMb = 256;
/** Number of requests that the thread processes concurrently, so that a short request does not wait for a long one. */
const atOnce = 2;

const isReply = (value: unknown): value is BodyReply => typeof value === 'object' && value !== null && 'id' in value;

/** Treats a result as that of its request. Only a number links the two, so the type cannot be checked. */
const isOf = (_result: unknown): _result is never => true;

/** Processes large bodies in a worker thread, which starts with the first body. */
export class BodyThread {
  readonly #failed: (reason: string) => void;
  readonly #queue: PendingWork[] = [];
  readonly #running = new Map<number, PendingWork>();
  #worker: Worker | null = null;
  #requests = 0;
  #idle: NodeJS.Timeout | undefined;

  /** `onFailure` is called with the reason if the thread ends unexpectedly. */
  constructor(onFailure: (reason: string) => void) {
    this.#failed = onFailure;
  }

  /** Processes a body. Raises what the work raises, and Problem 503 if the thread runs out of memory. */
  work<Work extends BodyWork>(work: Work): Promise<BodyResults[Work['op']]> {
    return new Promise((resolve, reject) => {
      this.#requests += 1;
      this.#queue.push({ request: { id: this.#requests, work }, resolve, reject });
      this.#advance();
    });
  }

  /** Returns the number of bodies queued or being processed. */
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
      const job = this.#queue.shift();
      if (job === undefined) break;
      this.#running.set(job.request.id, job);
      this.#worker ??= this.#start();
      this.#worker.postMessage(job.request);
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
    const job = this.#running.get(message.id);
    this.#running.delete(message.id);
    if ('problem' in message) job?.reject(new Problem(message.problem.code, message.problem));
    else if ('error' in message) job?.reject(new Error(message.error));
    else if (isOf(message.result)) job?.resolve(message.result);
    this.#advance();
  }

  /** Ends the thread. `reason` is null if the end is intended. */
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
