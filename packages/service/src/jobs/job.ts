import type { JsonObject } from '@inlay/contract';
import type { ClaimedJob, TaskResult } from '../commands/job.ts';

/** One attempt of a job. */
export interface JobRun {
  readonly job: ClaimedJob;
  /** Ends at the timeout of the type, when the job is cancelled, when its lease is lost and when the service stops. */
  readonly signal: AbortSignal;
  /**
   * Identifies an effect outside of the store, such as a message: the same in every attempt for one due time. A receiver that
   * gets it twice has had it before.
   */
  readonly effectKey: string;
  /** Notes the progress in percent; written with the next heartbeat. */
  readonly progress: (percent: number) => void;
}

/** A type of job: the whole of it. */
export interface JobType {
  readonly name: string;
  /** Jobs of this type that one instance runs at once. */
  readonly slots: number;
  readonly timeoutMs: number;
  /** Attempts before a job becomes a dead letter. */
  readonly maxAttempts: number;
  /** Runs once in this time on one of the instances; without it jobs are added one by one. */
  readonly everyMs?: number;
  /** Runs it once. May be repeated after any of its steps. Raises Problem; a Problem with a status below 500 is final. */
  readonly run: (run: JobRun) => Promise<TaskResult | null>;
}

/** Values of a job that is added by a part of the service. */
export interface JobRequest {
  /** Two jobs with one id are one job. */
  readonly id: string;
  readonly type: string;
  readonly organizationId: string;
  readonly subject: string;
  readonly payload: JsonObject;
}
