import type { IdempotencyKey } from '../resource/served.ts';

/** Claims an Idempotency-Key for an answer that creates no record, stores the answer, or releases the key. */
export interface AnswerCommand {
  readonly kind: 'answer';
  readonly step: 'claim' | 'keep' | 'release';
  readonly kept: IdempotencyKey;
  /** The answer to store. */
  readonly text: string;
  /** A key claimed longer ago than this, in milliseconds, and never answered is free again. */
  readonly lostAfterMs: number;
}

/** The state of an Idempotency-Key; `text` is the answer if there is one. */
export interface AnswerResult {
  readonly kind: 'answer';
  readonly state: 'mine' | 'busy' | 'kept';
  readonly text: string;
}

export interface AnswerCommands {
  readonly answer: AnswerCommand;
}
