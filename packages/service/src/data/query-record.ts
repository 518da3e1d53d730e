import type { Model, Query, RowFilter } from '@inlay/query';
import { outcomeOf } from './problems.ts';
import type { PlaceLabel, Sources } from './choose.ts';
import { boundColumns, type BoundColumn, type ColumnUses } from './column-use.ts';
import type { Observations } from '../observations/observations.ts';
import type { Recorder } from '../metrics/metrics.ts';

/**
 * Where a query ran. `cache`: its result was cached. `shared`: its rows were being read for another caller. `none`: it
 * was refused.
 */
export type QuerySource = PlaceLabel | 'cache' | 'shared' | 'none';

/** How long a query waited for the engine, and how long it ran, in ms. */
export interface QueryTimes {
  readonly queuedMs: number;
  readonly queryMs: number;
}

/** Records an answered query in the metrics. */
export function recordAnswer({ count, observe }: Recorder, source: QuerySource, times: QueryTimes): void {
  count('inlay_queries_total', { source, outcome: 'ok' });
  if (source === 'cache' || source === 'shared') return;
  observe('inlay_query_duration_seconds', { source }, times.queryMs / 1000);
  if (source !== 'pushdown' && source !== 'cluster') observe('inlay_query_wait_seconds', {}, times.queuedMs / 1000);
}

/** Records a failed query in the metrics. The outcome is `aborted` if the client has disconnected. */
export const recordFailure = ({ count }: Recorder, source: QuerySource, error: unknown): void =>
  count('inlay_queries_total', { source, outcome: outcomeOf(error) });

/** Adds the time of a query to the records of each possible cause of slowness. */
export function observeQuery(
  { observations, uses }: { readonly observations: Observations; readonly uses: ColumnUses },
  { uncached, filtered, bound }: QuerySubjects,
  { queryMs }: QueryTimes,
): void {
  for (const { datasetId, column } of bound) uses.note(datasetId, column, queryMs);
  for (const dataset of uncached) observations.note('uncached', dataset, queryMs);
  for (const column of filtered) observations.note('filtered', column, queryMs);
}

/** Possible causes of a slow query. */
export interface QuerySubjects {
  /** Datasets that are queried at their source and whose results are not cached. */
  readonly uncached: readonly string[];
  /** For each column that row filters test at the source: the ids of dataset and column, separated by a space. */
  readonly filtered: readonly string[];
  /** Columns of stored rows that conditions compare with values. */
  readonly bound: readonly BoundColumn[];
}

const testedColumns = (filter: RowFilter): readonly string[] =>
  filter.kind === 'all' || filter.kind === 'any'
    ? filter.of.flatMap(testedColumns)
    : filter.kind === 'test'
      ? [filter.on.columnId]
      : [];

/** Returns the possible causes if a query over these sources is slow. */
export function subjectsOf(
  sources: Sources,
  filters: ReadonlyMap<string, readonly RowFilter[]>,
  { where }: Query,
  model: Model,
  keepMs: number,
): QuerySubjects {
  const boundRefs = boundColumns([...[...filters.values()].flat(), ...where], model);
  const atSource = [...sources].flatMap(([id, { kind }]) => (kind === 'sql' ? [id] : []));
  return {
    bound: boundRefs.filter(({ datasetId }) => sources.get(datasetId)?.kind === 'version'),
    uncached: keepMs === 0 ? atSource : [],
    filtered: atSource.flatMap((id) =>
      (filters.get(id) ?? []).flatMap(testedColumns).map((column) => `${id} ${column}`),
    ),
  };
}
