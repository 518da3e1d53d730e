import { setMaxListeners } from 'node:events';
import type { ClaimedJob, TaskResult } from '../commands/job.ts';
import { onEnd } from '../concurrency/release.ts';
import type { JobType } from './job.ts';

const graceMs = 5000;

/** Raised when a job exceeds the timeout of its type. */
export class JobTimeout extends Error {}

/** Records the end of an attempt. `result` is the settled result, or null if the job returns to the queue. */
type End = (result: PromiseSettledResult<TaskResult | null> | null) => Promise<void>;

/** An attempt of a job on this instance. */
export class Attempt {
  readonly job: ClaimedJob;
  readonly type: JobType;
  readonly startedMs = performance.now();
  /** Resolves after the outcome is stored. Never rejects. */
  readonly ended: Promise<void>;
  readonly #abort = new AbortController();
  #fate: 'ends' | 'released' | 'abandoned' = 'ends';
  #progress: number | null = null;

  constructor(job: ClaimedJob, type: JobType, end: End) {
    this.job = job;
    this.type = type;
    setMaxListeners(0, this.#abort.signal);
    this.ended = this.#run(end);
  }

  /** Progress in percent; null if none was reported. */
  get progress(): number | null {
    return this.#progress;
  }

  /** Aborts the attempt and returns the job to the queue. */
  release(): void {
    this.#stop('released', 'the service stops');
  }

  /** Aborts the attempt without an outcome, because the job was cancelled or belongs to another instance. */
  abandon(): void {
    this.#stop('abandoned', 'the job was cancelled or is run by another instance');
  }

  #stop(fate: 'released' | 'abandoned', reason: string): void {
    this.#fate = fate;
    this.#abort.abort(new Error(reason));
  }

  async #work(): Promise<TaskResult | null> {
    const { job, type } = this;
    return type.run({
      job,
      signal: this.#abort.signal,
      effectKey: `${job.id} ${job.dueAt}`,
      progress: (percent) => {
        this.#progress = Math.min(99, Math.max(0, Math.floor(percent)));
      },
    });
  }

  /** Rejects a grace period after the abort, so that code that ignores the signal does not occupy a slot. */
  #givenUp(): Promise<never> {
    const { signal } = this.#abort;
    return new Promise((_, reject) => {
      onEnd(signal, () => setTimeout(() => reject(signal.reason), graceMs).unref());
    });
  }

  async #run(end: End): Promise<void> {
    const { type } = this;
    const timeout = (): void => this.#abort.abort(new JobTimeout(`not done after ${type.timeoutMs / 1000} s`));
    const timer = setTimeout(timeout, type.timeoutMs);
    const [outcome] = await Promise.allSettled([Promise.race([this.#work(), this.#givenUp()])]);
    clearTimeout(timer);
    const { signal } = this.#abort;
    // After an abort, code may fail with any error. The reason of the abort is recorded instead.
    const result = outcome.status === 'rejected' && signal.aborted ? { ...outcome, reason: signal.reason } : outcome;
    if (this.#fate === 'abandoned') return;
    await end(this.#fate === 'released' && result.status === 'rejected' ? null : result);
  }
}
