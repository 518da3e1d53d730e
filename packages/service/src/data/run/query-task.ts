import type { Lines } from '@inlay/query';
import type { Caller } from '../../access/caller.ts';
import type { RunLimits } from '../../connectors/connector.ts';
import type { EngineSummary } from '../../engine/engine.ts';
import type { RequestTrace } from '../../tracing/trace.ts';
import type { Choice, Sources } from '../choose.ts';

/** The rows of a query as they arrive, to be iterated once: comma-separated JSON arrays, or lines of a file. */
export interface RunningQuery {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Valid once `chunks` is exhausted. */
  readonly summary: () => Promise<EngineSummary>;
}

/** The caller in whose turn a query runs. */
export type QueryCaller = Pick<Caller, 'organizationId' | 'suborganization' | 'authorizationId'>;

/** A planned query with its limits. */
export interface QueryTask {
  readonly caller: QueryCaller;
  readonly choice: Choice;
  readonly sources: Sources;
  readonly locale: string;
  /** File format planned for; null for JSON. */
  readonly lines: Lines | null;
  readonly limits: RunLimits;
  readonly trace: RequestTrace;
}
