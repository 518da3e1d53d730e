import type { RequestTrace } from './trace.ts';

/** The rights that rows of datasets were read with. */
export interface RowAccess {
  readonly datasetIds: readonly string[];
  readonly right: 'read' | 'use' | 'modify' | 'own';
  /** Equal for equal rights and row filters. */
  readonly digest: string;
}

/** Deadline, cancellation and tracing of a call on behalf of a caller. */
export interface CallContext {
  /** Aborted when the result is no longer needed or the deadline has passed. */
  readonly signal: AbortSignal;
  /** In milliseconds of `performance.now()`. */
  readonly deadlineMs: number;
  readonly trace: RequestTrace;
  /** Receives the rights that rows are read with, if the result is stored. */
  readonly onAccess?: (access: RowAccess) => void;
}
