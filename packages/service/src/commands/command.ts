import type { JsonObject } from '@inlay/contract';
import type { ProblemData } from '../problems/problem.ts';
import type { StoredRecord } from '../resource/tables.ts';
import type { AccelerationCommands } from './acceleration.ts';
import type { AnswerCommands, AnswerResult } from './answer.ts';
import type { JobCommands, JobResult } from './job.ts';
import type { ModelCommands } from './model.ts';
import type { OrganizationCommands } from './organization.ts';
import type { PublicationCommands } from './publication.ts';
import type { RecordCommands } from './record.ts';
import type { RowsCommands } from './rows.ts';
import type { ShareCommands, ShareResult } from './share.ts';
import type { SourceCommands } from './sources.ts';
import type { SsoCommands, SsoResult } from './sso.ts';
import type { UpkeepCommands } from './upkeep.ts';

/** Commands of the writer by kind. They are plain data, so that they can be sent to the writer thread. */
export interface Commands
  extends
    RecordCommands,
    SourceCommands,
    RowsCommands,
    SsoCommands,
    ShareCommands,
    AnswerCommands,
    ModelCommands,
    OrganizationCommands,
    JobCommands,
    AccelerationCommands,
    PublicationCommands,
    UpkeepCommands {}

export type CommandKind = keyof Commands;
export type Command = Commands[CommandKind];

/** `replayed` is true if the result is the stored result of an earlier request with the same Idempotency-Key. */
interface Replayable {
  readonly replayed?: true;
}

/** The record that a write created or updated. */
export interface RecordResult extends Replayable {
  readonly kind: 'record';
  readonly stored: StoredRecord;
  readonly carried: JsonObject;
  readonly shown: JsonObject;
}

/** The result of a command. */
export type WriteResult =
  | RecordResult
  /** The records that one request has written. */
  | ({ readonly kind: 'records'; readonly stored: readonly StoredRecord[] } & Replayable)
  | ({ readonly kind: 'deleted' } & Replayable)
  | AnswerResult
  | SsoResult
  | ShareResult
  | JobResult
  | { readonly kind: 'problem'; readonly problem: ProblemData }
  /** The write is valid; nothing was stored. */
  | { readonly kind: 'validated' }
  /** Nothing was written, because the facts about the presumed caller have changed. */
  | { readonly kind: 'misjudged' }
  | { readonly kind: 'done'; readonly count: number; readonly id: string | null };

/** Creates the result of a command that returns a count. */
export const done = (count: number, id: string | null = null): WriteResult => ({ kind: 'done', count, id });
