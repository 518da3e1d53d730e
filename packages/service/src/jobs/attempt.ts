import { setMaxListeners } from 'node:events';
import type { ClaimedJob, TaskResult } from '../commands/job.ts';
import { onEnd } from '../concurrency/release.ts';
import type { JobType } from './job.ts';

const graceMs = 5000;

/** The job timed out. */
export class JobTimeout extends Error {}

/** Notes how an attempt ended: settled, or null where it is handed back to the queue. */
type End = (result: PromiseSettledResult<TaskResult | null> | null) => Promise<void>;

/** One attempt of a job on this instance. */
export class Attempt {
  readonly job: ClaimedJob;
  readonly type: JobType;
  readonly startedMs = performance.now();
  /** Resolves once its end is written. Never rejects. */
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

  /** Percent; null where the job has not said. */
  get progress(): number | null {
    return this.#progress;
  }

  /** Aborts it and hands it back to the queue. */
  release(): void {
    this.#stop('released', 'the service stops');
  }

  /** Aborts it without a word to the store, where it is cancelled or belongs to another instance. */
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

  /** Rejects some time after the abort: code that does not listen to its signal keeps no slot. */
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
    const [settled] = await Promise.allSettled([Promise.race([this.#work(), this.#givenUp()])]);
    clearTimeout(timer);
    const { signal } = this.#abort;
    // Code that was aborted fails in its own words.
    const result = settled.status === 'rejected' && signal.aborted ? { ...settled, reason: signal.reason } : settled;
    if (this.#fate === 'abandoned') return;
    await end(this.#fate === 'released' && result.status === 'rejected' ? null : result);
  }
}
