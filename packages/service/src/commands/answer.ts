import type { IdempotencyKey } from '../resource/served.ts';

/** Claims an Idempotency-Key for an answer that creates no record, stores the answer, or releases the key. */
export interface AnswerCommand {
  readonly kind: 'answer';
  readonly step: 'claim' | 'keep' | 'release';
  readonly kept: IdempotencyKey;
  /** The answer to store. */
  readonly text: string;
  /** A claim older than this without an answer has expired. */
  readonly lostAfterMs: number;
}

/** State of an Idempotency-Key; `text` is the stored answer, if any. */
export interface AnswerResult {
  readonly kind: 'answer';
  readonly state: 'mine' | 'busy' | 'kept';
  readonly text: string;
}

export interface AnswerCommands {
  readonly answer: AnswerCommand;
}
