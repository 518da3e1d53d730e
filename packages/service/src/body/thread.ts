import { Worker } from 'node:worker_threads';
import { Problem } from '../problems/problem.ts';
import type { BodyReply, BodyRequest, BodyResults, BodyWork } from './messages.ts';

/** Works on large bodies in a thread of its own. */
export interface BodyThread {
  /** Raises Problem: what the work raises, and 503 where the thread has not the memory. */
  readonly work: <Work extends BodyWork>(work: Work) => Promise<BodyResults[Work['op']]>;
  /** Pieces of work that wait or are under way. */
  readonly count: () => number;
  readonly close: () => Promise<void>;
}

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

/** Starts no thread until there is work. `failed` is told why one ended. */
export function createBodyThread(failed: (reason: string) => void): BodyThread {
  const queue: PendingWork[] = [];
  const under = new Map<number, PendingWork>();
  const state: { worker: Worker | null; next: number; idle: NodeJS.Timeout | undefined } = {
    worker: null,
    next: 0,
    idle: undefined,
  };
  const end = (reason: string | null): void => {
    const { worker } = state;
    state.worker = null;
    clearTimeout(state.idle);
    void worker?.terminate();
    if (reason !== null) failed(reason);
    const problem = new Problem('overloaded', {
      message: 'The body needs more memory than there is for reading it. Send it in parts.',
      retryAfterS: 10,
    });
    for (const { reject } of under.values()) reject(problem);
    under.clear();
    advance();
  };
  const hear = (message: unknown): void => {
    if (!isReply(message)) return;
    const waiting = under.get(message.id);
    under.delete(message.id);
    if ('problem' in message) waiting?.reject(new Problem(message.problem.code, message.problem));
    else if ('error' in message) waiting?.reject(new Error(message.error));
    else if (isOf(message.result)) waiting?.resolve(message.result);
    advance();
  };
  const start = (): Worker => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      env: {},
    });
    worker.unref();
    worker.on('message', hear);
    worker.on('error', (error) => {
      if (state.worker === worker) end(String(error));
    });
    worker.on('exit', () => {
      if (state.worker === worker) end(under.size > 0 ? 'the thread ended' : null);
    });
    return worker;
  };
  const advance = (): void => {
    clearTimeout(state.idle);
    while (under.size < atOnce) {
      const next = queue.shift();
      if (next === undefined) break;
      under.set(next.request.id, next);
      state.worker ??= start();
      state.worker.postMessage(next.request);
    }
    if (under.size > 0 || state.worker === null) return;
    state.idle = setTimeout(() => end(null), idleMs);
    state.idle.unref();
  };
  return {
    work: (work) =>
      new Promise((resolve, reject) => {
        queue.push({ request: { id: (state.next += 1), work }, resolve, reject });
        advance();
      }),
    count: () => queue.length + under.size,
    close: async () => {
      const { worker } = state;
      end(null);
      await worker?.terminate();
    },
  };
}
