import type { RequestTrace } from './trace.ts';

/** The rights with which rows of datasets were read. */
export interface RowAccess {
  readonly datasetIds: readonly string[];
  readonly right: 'read' | 'use' | 'modify' | 'own';
  /** A text that is equal for equal rights and row filters. */
  readonly digest: string;
}

/** Deadline, cancellation and tracing of a call on behalf of a caller. */
export interface CallContext {
  /** Aborts when the result is no longer needed or the deadline has passed. */
  readonly signal: AbortSignal;
  /** Deadline, in milliseconds of `performance.now()`. */
  readonly deadlineMs: number;
  readonly trace: RequestTrace;
  /** Called with the rights with which rows are read, if the result is to be stored. */
  readonly onAccess?: (access: RowAccess) => void;
}
