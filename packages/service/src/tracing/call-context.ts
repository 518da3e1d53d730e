import type { RequestTrace } from './trace.ts';

/** The rights with which rows of datasets were read. */
export interface RowAccess {
  readonly datasetIds: readonly string[];
  readonly right: 'read' | 'use' | 'modify' | 'own';
  /** Equal where the rights and row filters are. */
  readonly digest: string;
}

/** How long a call on behalf of a caller may take, when it is cancelled, and what it is traced by. */
export interface CallContext {
  /** Aborted when nobody waits for the result any more or the deadline has passed. */
  readonly signal: AbortSignal;
  /** In milliseconds of `performance.now()`. */
  readonly deadlineMs: number;
  readonly trace: RequestTrace;
  /** Called with the rights that rows are read with, where the result is stored. */
  readonly onAccess?: (access: RowAccess) => void;
}
