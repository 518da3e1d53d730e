import type { Lines } from '@inlay/query';
import type { Caller } from '../../access/caller.ts';
import type { RunLimits } from '../../connectors/connector.ts';
import type { EngineSummary } from '../../engine/engine.ts';
import type { RequestTrace } from '../../tracing/trace.ts';
import type { Choice, PlaceLabel, Sources } from '../choose.ts';
import type { CopyMiss } from '../copies/copy-choice.ts';

/**
 * A query that is running. Its rows can be iterated once, as they arrive: comma-separated JSON arrays, or lines of a
 * file.
 */
export interface RunningQuery {
  /** Where the query runs. That is the engine where the cluster does not answer. */
  readonly place: PlaceLabel;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Call after the last chunk. */
  readonly summary: () => Promise<QuerySummary>;
}

/** Facts about a query that has ended. */
export interface QuerySummary extends EngineSummary {
  /** Id by which the logs of the source name the statement; missing if the engine ran it, or the source has none. */
  readonly queryId?: string;
}

/** The caller for whom a query runs. Callers take turns. */
export type QueryCaller = Pick<Caller, 'organizationId' | 'suborganization' | 'authorizationId'>;

/** A planned query with its limits. */
export interface QueryTask {
  readonly caller: QueryCaller;
  readonly choice: Choice;
  readonly sources: Sources;
  /** Why the query reads sources although datasets have accelerations; null if it reads copies or has none. */
  readonly copyMiss: CopyMiss | null;
  readonly locale: string;
  /** File format in which rows are written; null for JSON arrays. */
  readonly lines: Lines | null;
  readonly limits: RunLimits;
  readonly trace: RequestTrace;
}
