import type { JsonObject } from '@inlay/contract';
import type { ProblemData } from '../problems/problem.ts';
import type { StoredRecord } from '../resource/tables.ts';
import type { AnswerCommands, AnswerResult } from './answer.ts';
import type { JobCommands, JobResult } from './job.ts';
import type { ModelCommands } from './model.ts';
import type { OrganizationCommands } from './organization.ts';
import type { RecordCommands } from './record.ts';
import type { RowsCommands } from './rows.ts';
import type { ShareCommands, ShareResult } from './share.ts';
import type { SourceCommands } from './sources.ts';
import type { SsoCommands, SsoResult } from './sso.ts';
import type { UpkeepCommands } from './upkeep.ts';

/** Every command of the writer by its kind. Commands are plain data, so that they can cross to the thread that writes. */
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
    UpkeepCommands {}

export type CommandKind = keyof Commands;
export type Command = Commands[CommandKind];

/** Whether an answer is that of an earlier request with the same Idempotency-Key. */
interface Replayable {
  readonly replayed?: true;
}

/** A record that was written. */
export interface RecordResult extends Replayable {
  readonly kind: 'record';
  readonly stored: StoredRecord;
  readonly carried: JsonObject;
  readonly shown: JsonObject;
}

/** The result of a command. */
export type WriteResult =
  | RecordResult
  /** Several records of one request. */
  | ({ readonly kind: 'records'; readonly stored: readonly StoredRecord[] } & Replayable)
  | ({ readonly kind: 'deleted' } & Replayable)
  | AnswerResult
  | SsoResult
  | ShareResult
  | JobResult
  | { readonly kind: 'problem'; readonly problem: ProblemData }
  /** Checked, and nothing was stored. */
  | { readonly kind: 'validated' }
  /** Nothing was written: the facts about the presumed caller have changed. */
  | { readonly kind: 'misjudged' }
  | { readonly kind: 'done'; readonly count: number; readonly id: string | null };

/** The result of a command that answers a number. */
export const done = (count: number, id: string | null = null): WriteResult => ({ kind: 'done', count, id });
