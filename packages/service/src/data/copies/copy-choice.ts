import { filledText } from '@inlay/contract';
import type { RowFilter } from '@inlay/query';
import type { LoadedDataset, TokenTerms } from '../model/parts.ts';
import { overrideFor } from '../resolve-account.ts';
import { copyFingerprint } from './fingerprint.ts';

/** Why a query over accelerated datasets reads their source. */
export const copyMisses = ['unaccelerated', 'pending', 'changed', 'override', 'too_old', 'lost'] as const;
export type CopyMiss = (typeof copyMisses)[number];

/** Whether a query reads copies. */
export interface CopyChoice {
  /** True if the query reads the copies of all its remote datasets. */
  readonly isHit: boolean;
  /** Accelerations of the datasets of the query. */
  readonly accelerationIds: readonly string[];
  /** Why the query reads the source; null for a hit, and for a query without accelerated datasets. */
  readonly miss: CopyMiss | null;
  /** The time up to which all copies have the rows of their source; null if the query reads the source. */
  readonly dataAsOf: string | null;
}

interface CopyQuery {
  readonly terms: TokenTerms;
  /** Maximum age of a copy in seconds; undefined for any. */
  readonly maxAge: number | undefined;
  readonly nowMs: number;
  /** True if the file of a copy was not there. */
  readonly isLost: boolean;
}

function missOf(dataset: LoadedDataset, { terms, maxAge, nowMs, isLost }: CopyQuery): CopyMiss | null {
  const { acceleration, account } = dataset;
  if (acceleration === null) return 'unaccelerated';
  if (acceleration.copy === null) return 'pending';
  // A token may replace the connection of the account, so its rows may be those of another source.
  if (account !== null && overrideFor(terms, account.id) !== null) return 'override';
  if (acceleration.copy.fingerprint !== copyFingerprint(dataset)) return 'changed';
  if (maxAge !== undefined && Date.parse(acceleration.copy.dataAsOf) < nowMs - maxAge * 1000) return 'too_old';
  return isLost ? 'lost' : null;
}

/**
 * Decides whether a query reads the copies of its datasets. It reads either the copies of all remote datasets or none:
 * joins with rows at a source run faster there.
 */
export function chooseCopies(datasets: readonly LoadedDataset[], query: CopyQuery): CopyChoice {
  const remoteDatasets = datasets.filter(({ dataVersion }) => dataVersion === null);
  const accelerations = remoteDatasets.flatMap(({ acceleration }) => (acceleration === null ? [] : [acceleration]));
  const accelerationIds = accelerations.map(({ id }) => id);
  const misses = remoteDatasets.flatMap((dataset) => missOf(dataset, query) ?? []);
  const isHit = accelerations.length > 0 && misses.length === 0;
  const times = accelerations.flatMap(({ copy }) => copy?.dataAsOf ?? []);
  return {
    isHit,
    accelerationIds,
    miss: accelerations.length === 0 ? null : (misses[0] ?? null),
    dataAsOf: isHit ? (times.toSorted()[0] ?? null) : null,
  };
}

/**
 * Adds a filter on each dataset whose acceleration declares deleted rows, so that the source and the copy give the same
 * rows.
 */
export function withoutDeleted(
  filters: ReadonlyMap<string, readonly RowFilter[]>,
  datasets: readonly LoadedDataset[],
): ReadonlyMap<string, readonly RowFilter[]> {
  const all = new Map(filters);
  for (const { id, acceleration } of datasets) {
    const columnId = filledText(acceleration?.deletedColumnId);
    if (columnId === null) continue;
    all.set(id, [...(all.get(id) ?? []), { kind: 'empty', from: { datasetId: id, columnId } }]);
  }
  return all;
}
