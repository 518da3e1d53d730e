import type { RequestTrace } from './trace.ts';

/** How long a call on behalf of a caller may take, when it is cancelled, and what it is traced by. */
export interface CallContext {
  /** Aborted when nobody waits for the result any more or the deadline has passed. */
  readonly signal: AbortSignal;
  /** In milliseconds of `performance.now()`. */
  readonly deadlineMs: number;
  readonly trace: RequestTrace;
}
