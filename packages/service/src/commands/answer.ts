import type { IdempotencyKey } from '../resource/served.ts';

/**
 * Stores the answer to an Idempotency-Key for requests that create no record. `claim` claims the key, `keep` stores the
 * answer, `release` gives the key up.
 */
export interface AnswerCommand {
  readonly kind: 'answer';
  readonly step: 'claim' | 'keep' | 'release';
  readonly kept: IdempotencyKey;
  /** The answer to store, for `keep`. */
  readonly text: string;
  /** A claim that has no answer after this time has expired. */
  readonly lostAfterMs: number;
}

/**
 * State of an Idempotency-Key. `mine`: the caller has claimed it; `busy`: another request has; `kept`: `text` is the
 * stored answer.
 */
export interface AnswerResult {
  readonly kind: 'answer';
  readonly state: 'mine' | 'busy' | 'kept';
  readonly text: string;
}

export interface AnswerCommands {
  readonly answer: AnswerCommand;
}
