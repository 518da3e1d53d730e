import type { Json } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import type { OtherFilters } from '../access/filter-kinds.ts';
import type { Right } from '../declare/roles.ts';
import type { Observations } from '../observations/observations.ts';
import type { Registry } from '../resource/registry.ts';
import type { Reader } from '../store/store.ts';
import type { RequestTrace } from '../tracing/trace.ts';
import type { AnswerCache } from './cache/cache.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { CopyUses } from './copies/copy-uses.ts';
import type { RollupChecks } from './rollups/checks.ts';
import type { RollupDemand } from './rollups/demand.ts';
import type { InFlightQueries } from './cache/keep-rows.ts';
import type { ColumnUses } from './column-use.ts';
import type { Dialects } from './dialects.ts';
import type { ProveColumns } from './metadata/prove-columns.ts';
import type { ModelCache } from './model/load-model.ts';
import type { LoadedDataset, LoadedRowFilters, TokenTerms } from './model/parts.ts';
import type { RequestKeys } from './row-filters/send-keys.ts';
import type { Runners } from './run/runners.ts';
import type { AccountResolver } from './sources.ts';
import type { MemberCache } from './values/member-cache.ts';

/** Filters of one query in addition to row filters: the filters of its item, and filters on groups. */
export interface ItemFilters extends Pick<OtherFilters, 'chartFilters' | 'groupFilters'> {
  /** Id of the item that the query belongs to; null if the query has no item. */
  readonly itemId: string | null;
}

/** Dependencies for answering queries. */
export interface QueryService extends Runners, AccountResolver {
  readonly reader: Reader;
  readonly registry: Registry;
  readonly models: ModelCache;
  readonly dialects: Dialects;
  readonly proveColumns: ProveColumns;
  readonly cache: AnswerCache;
  readonly inFlight: InFlightQueries;
  /** Members of columns, for words of questions. */
  readonly members: MemberCache;
  readonly observations: Observations;
  readonly uses: ColumnUses;
  readonly copyUses: CopyUses;
  /** The cluster that answers queries over published rows; null if there is none. */
  readonly cluster: Cluster | null;
  readonly rollupDemand: RollupDemand;
  readonly rollupChecks: RollupChecks;
  readonly limits: { readonly rows: number; readonly bytes: number; readonly keys: number };
}

/** A request for rows, with its caller and everything that has been loaded for it. */
export interface QueryRequest {
  readonly caller: Caller;
  readonly terms: TokenTerms;
  readonly parameters: ReadonlyMap<string, Json>;
  /** The right that the caller needs on the datasets: *use*, or *read* if the queries belong to stored items. */
  readonly right: Right;
  /** Datasets that any query of the request names, if the caller has the right on them. */
  readonly datasets: ReadonlyMap<string, LoadedDataset>;
  /** Datasets that row filters look up. */
  readonly reached: ReadonlyMap<string, LoadedDataset>;
  readonly bounds: LoadedRowFilters;
  readonly narrowing: ItemFilters;
  readonly keys: RequestKeys;
  readonly trace: RequestTrace;
  /** True if the file of a copy was not there, so that the queries read the source. */
  readonly isCopyLost?: true;
  /** Datasets that the queries need in addition to those that they name. */
  readonly further: readonly string[];
  /** Returns the request with further datasets, if the caller has the right on them. */
  readonly with: (further: readonly string[]) => Promise<QueryRequest>;
  readonly signal: AbortSignal;
  /** Deadline in ms, as a value of `performance.now()`. */
  readonly deadlineMs: number;
}

/** Returns the milliseconds until the deadline; at least 1. */
export const leftMs = ({ deadlineMs }: QueryRequest): number => Math.max(1, Math.floor(deadlineMs - performance.now()));
