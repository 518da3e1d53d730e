import type { JsonObject, Validation } from '@inlay/contract';
import type { CallerReference } from '../callers/caller-of.ts';
import type { WriteCommand } from './record.ts';

/** Why a run failed, in the form of an error of the API. */
export interface JobError {
  readonly code: string;
  readonly message: string;
  readonly validation?: Validation;
}

/** A job to enqueue. */
export interface NewJob {
  readonly id: string;
  readonly type: string;
  readonly organizationId: string | null;
  /** Id of the record to process. */
  readonly subject: string | null;
  readonly payload: JsonObject;
  /** Within a type, jobs with a higher priority run first. */
  readonly priority: number;
  readonly dueAt: string;
}

/** A job that an instance has claimed. */
export interface ClaimedJob extends NewJob {
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  /** Proves that a step comes from the instance that currently holds the lease. */
  readonly lease: string;
}

/** Number of free slots for a type of job on an instance. */
export interface JobSlots {
  readonly type: string;
  readonly slots: number;
  /** A job becomes a dead letter after this many failed attempts. */
  readonly maxAttempts: number;
}

/** Identifies a running job and its current lease. */
export interface HeldJob {
  readonly id: string;
  readonly lease: string;
}

/** File produced by a task. */
export interface TaskResult {
  /** Fields to set on the record of the task. */
  readonly result: JsonObject;
  /** Name of the file, and JSON text with its media type and the rights with which its rows were read. */
  readonly hidden: { readonly file: string; readonly file_type: string; readonly access: string };
  /** Encryption key of the file. The store keeps it sealed. */
  readonly fileKey: string;
}

/** Outcome of an attempt. */
export type JobOutcome =
  /** `dueAt` is the time of the next run if the job is scheduled; otherwise null. */
  | { readonly kind: 'completed'; readonly dueAt: string | null; readonly result: TaskResult | null }
  | { readonly kind: 'retry'; readonly dueAt: string; readonly error: JobError }
  /** A scheduled job failed at all attempts of this run. `dueAt` is the time of the next run. */
  | { readonly kind: 'skipped'; readonly dueAt: string; readonly error: JobError }
  | { readonly kind: 'dead'; readonly error: JobError }
  /** No slot was free; the job is retried at `dueAt`, and the attempt does not count. */
  | { readonly kind: 'postponed'; readonly dueAt: string }
  /**
   * The instance gives the job back, so that another instance can take over immediately. The attempt does not count.
   */
  | { readonly kind: 'released' };

/** A request that a task answers later. */
export interface NewTask {
  readonly type: string;
  /** The record that the request concerns. */
  readonly entityId: string | null;
  /** Parameters of the job that answers the request. */
  readonly request: JsonObject;
}

/** Writes to the job queue, as plain data. */
export type JobCommand =
  /** Creates a task; a trigger creates its job. Returns the record of the task. */
  | {
      readonly kind: 'job';
      readonly step: 'request';
      readonly caller: CallerReference;
      readonly task: NewTask;
      readonly idempotency: WriteCommand['idempotency'];
    }
  /** Adds jobs. A job whose id already exists is skipped. */
  | { readonly kind: 'job'; readonly step: 'add'; readonly jobs: readonly NewJob[] }
  | {
      readonly kind: 'job';
      readonly step: 'claim';
      readonly now: string;
      readonly lease: string;
      readonly leaseMs: number;
      readonly types: readonly JobSlots[];
    }
  /** Renews leases. Returns the jobs whose lease is still valid. */
  | {
      readonly kind: 'job';
      readonly step: 'renew';
      readonly leaseMs: number;
      readonly held: readonly (HeldJob & { readonly progress: number | null })[];
    }
  /** Ends an attempt. Returns a count of 0 if the lease was lost. */
  | { readonly kind: 'job'; readonly step: 'end'; readonly held: HeldJob; readonly outcome: JobOutcome }
  /** Retries a dead letter. Only for the operator. */
  | { readonly kind: 'job'; readonly step: 'repeat'; readonly id: string }
  /** Deletes a dead letter. Only for the operator. */
  | { readonly kind: 'job'; readonly step: 'drop'; readonly id: string };

/** Results of queue commands that are not counts. */
export type JobResult =
  /** `buried` is the number of jobs that became dead letters after too many interruptions. */
  | { readonly kind: 'jobs'; readonly jobs: readonly ClaimedJob[]; readonly buried: number }
  /** Ids of jobs whose lease is still valid. */
  | { readonly kind: 'held'; readonly ids: readonly string[] };

export interface JobCommands {
  readonly job: JobCommand;
}
