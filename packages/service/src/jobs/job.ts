import type { JsonObject } from '@inlay/contract';
import type { ClaimedJob, TaskResult } from '../commands/job.ts';

/** Context of one attempt of a job. */
export interface JobRun {
  readonly job: ClaimedJob;
  /**
   * Aborts at the timeout of the job's type, when the job is cancelled, when its lease is lost, and when the service
   * stops.
   */
  readonly signal: AbortSignal;
  /**
   * Idempotency key for external effects, such as a message. It is the same in all attempts for one due time, so that
   * the receiver can drop duplicates.
   */
  readonly effectKey: string;
  /** Reports progress in percent, which is stored with the next heartbeat. */
  readonly progress: (percent: number) => void;
}

/** A type of job. */
export interface JobType {
  readonly name: string;
  /** Maximum number of concurrent jobs of this type per instance. */
  readonly slots: number;
  readonly timeoutMs: number;
  /** A job becomes a dead letter after this many attempts. */
  readonly maxAttempts: number;
  /** Interval of a scheduled job, which runs on one of the instances. If undefined, jobs are added individually. */
  readonly everyMs?: number;
  /**
   * Runs an attempt. It must tolerate that any step is repeated. A raised Problem with a status below 500 is final;
   * other errors are retried.
   */
  readonly run: (run: JobRun) => Promise<TaskResult | null>;
}

/** A job to add. */
export interface JobRequest {
  /** Id of the job. A job whose id already exists is not added again. */
  readonly id: string;
  readonly type: string;
  readonly organizationId: string;
  readonly subject: string;
  readonly payload: JsonObject;
}
