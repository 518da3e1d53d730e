import type { JsonObject, Validation } from '@inlay/contract';
import type { CallerReference } from '../callers/caller-of.ts';
import type { WriteCommand } from './record.ts';

/** Why a run failed, in the form of an error of the API. */
export interface JobError {
  readonly code: string;
  readonly message: string;
  readonly validation?: Validation;
}

/** A job to put into the queue. */
export interface NewJob {
  readonly id: string;
  readonly type: string;
  readonly organizationId: string | null;
  /** Id of the record that it works on. */
  readonly subject: string | null;
  readonly payload: JsonObject;
  /** Higher runs first within a type. */
  readonly priority: number;
  readonly dueAt: string;
}

/** A job that an instance has claimed. */
export interface ClaimedJob extends NewJob {
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  /** Proves that a step comes from the instance that holds the lease now. */
  readonly lease: string;
}

/** Free slots of one type of job on an instance. */
export interface JobSlots {
  readonly type: string;
  readonly slots: number;
  /** Attempts before the job becomes a dead letter. */
  readonly maxAttempts: number;
}

/** A running job as its holder names it. */
export interface HeldJob {
  readonly id: string;
  readonly lease: string;
}

/** The file that a task has made. */
export interface TaskResult {
  /** Fields of the record. */
  readonly result: JsonObject;
  /** Name of the file, its media type, and the rights that its rows were read with; the last two as JSON. */
  readonly hidden: { readonly file: string; readonly file_type: string; readonly access: string };
  /** Key of the file, which is stored sealed. */
  readonly fileKey: string;
}

/** What becomes of a job once an attempt has ended. */
export type JobOutcome =
  /** `dueAt`: the next run of a job with a schedule. */
  | { readonly kind: 'completed'; readonly dueAt: string | null; readonly result: TaskResult | null }
  | { readonly kind: 'retry'; readonly dueAt: string; readonly error: JobError }
  /** A job with a schedule: this run has failed for good, the next one is due then. */
  | { readonly kind: 'skipped'; readonly dueAt: string; readonly error: JobError }
  | { readonly kind: 'dead'; readonly error: JobError }
  /** There was no place to run in: it is tried again then, and the attempt does not count. */
  | { readonly kind: 'postponed'; readonly dueAt: string }
  /** Another instance takes over at once; the attempt does not count. */
  | { readonly kind: 'released' };

/** Work that a caller wants done later. */
export interface NewTask {
  readonly type: string;
  /** The record that it is about. */
  readonly entityId: string | null;
  /** What its job needs. */
  readonly request: JsonObject;
}

/** Writes to the job queue, as plain data. */
export type JobCommand =
  /** Makes a task, of which a trigger makes a job; answers the record. */
  | {
      readonly kind: 'job';
      readonly step: 'request';
      readonly caller: CallerReference;
      readonly task: NewTask;
      readonly idempotency: WriteCommand['idempotency'];
    }
  /** Does nothing where a job with this id exists. */
  | { readonly kind: 'job'; readonly step: 'add'; readonly jobs: readonly NewJob[] }
  | {
      readonly kind: 'job';
      readonly step: 'claim';
      readonly now: string;
      readonly lease: string;
      readonly leaseMs: number;
      readonly types: readonly JobSlots[];
    }
  /** Extends leases; answers the jobs that are still held. */
  | {
      readonly kind: 'job';
      readonly step: 'renew';
      readonly leaseMs: number;
      readonly held: readonly (HeldJob & { readonly progress: number | null })[];
    }
  /** Ends an attempt; answers a count of 0 where the lease was lost. */
  | { readonly kind: 'job'; readonly step: 'end'; readonly held: HeldJob; readonly outcome: JobOutcome }
  /** Runs a dead letter again, for the operator. */
  | { readonly kind: 'job'; readonly step: 'repeat'; readonly id: string }
  /** Forgets a dead letter, for the operator. */
  | { readonly kind: 'job'; readonly step: 'drop'; readonly id: string };

/** What a step of the queue answers beside numbers. */
export type JobResult =
  /** `buried`: how many became dead letters, since they were interrupted too often. */
  | { readonly kind: 'jobs'; readonly jobs: readonly ClaimedJob[]; readonly buried: number }
  /** Ids of the jobs that are still held. */
  | { readonly kind: 'held'; readonly ids: readonly string[] };

export interface JobCommands {
  readonly job: JobCommand;
}
