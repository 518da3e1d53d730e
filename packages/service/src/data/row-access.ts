import { createHash } from 'node:crypto';
import type { Json } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import type { Right } from '../declare/roles.ts';
import type { RowAccess } from '../tracing/call-context.ts';
import type { Reader } from '../store/store.ts';
import { loadDatasets, loadReached } from './model/load-datasets.ts';
import type { ModelCache } from './model/load-model.ts';
import type { Alternatives, LoadedDataset, LoadedRowFilters, TokenTerms } from './model/parts.ts';
import { loadRowFilters } from './row-filters/load-row-filters.ts';
import { createKnownDatasets, type CheckKnownDatasets } from './row-filters/known-datasets.ts';
import { createTermsCache } from './row-filters/load-terms.ts';
import type { ItemFilters } from './query-request.ts';
import type { AccountResolver } from './sources.ts';
import { datasetsReached, parameterValues } from './row-filters/row-filters.ts';

interface AccessReading {
  readonly reader: Reader;
  readonly models: ModelCache;
  readonly known: CheckKnownDatasets;
}

/** The datasets on which a caller has a right, and everything that restricts their rows. */
interface LoadedAccess {
  readonly datasets: ReadonlyMap<string, LoadedDataset>;
  /** Datasets that row filters look up. */
  readonly reached: ReadonlyMap<string, LoadedDataset>;
  readonly bounds: LoadedRowFilters;
  readonly narrowing: ItemFilters;
}

/** Loads a caller's rights on datasets and the row filters. Raises Problem `row_filter_invalid`. */
export async function loadAccess(
  { reader, models, known }: AccessReading,
  caller: Caller,
  terms: TokenTerms,
  ids: readonly string[],
  right: Right,
): Promise<LoadedAccess> {
  const datasets = await loadDatasets(reader, models, caller, ids, right);
  // Without the right on a dataset, no query reads its rows. Viewers of dashboards usually have *use* on none.
  const permittedIds = ids.filter((id) => datasets.has(id));
  const links = await loadRowFilters(reader, caller, permittedIds, right);
  const { rowFilters, chartFilters, groupFilters } = terms.filters;
  const bounds = { ...links, filters: [...rowFilters, ...links.filters] };
  const narrowing = {
    chartFilters: [...chartFilters, ...links.others.chartFilters],
    groupFilters: [...groupFilters, ...links.others.groupFilters],
    itemId: null,
  };
  const reachedDatasets = await loadReached(reader, models, caller, datasetsReached(bounds, permittedIds));
  await known(reader, caller, bounds, ids);
  return { datasets, reached: reachedDatasets, bounds, narrowing };
}

/** Returns values as texts in an order that does not depend on the order in which the values were read. */
const sortedTexts = (values: readonly unknown[]): readonly string[] =>
  values.map((value) => JSON.stringify(value)).toSorted();

const alternativesText = (alternatives: Alternatives): readonly string[] => sortedTexts(alternatives.map(sortedTexts));

const entryTexts = <Value>(map: ReadonlyMap<string, Value>, text: (value: Value) => Json): readonly string[] =>
  sortedTexts([...map].map(([key, value]) => [key, text(value)]));

/**
 * Returns a digest of the current rights and row filters on datasets, to compare later. A filter that is written
 * differently counts as a change, even if it has the same effect.
 */
export function rowAccess(
  { hiddenColumns }: Caller,
  { parameters }: TokenTerms,
  { datasets, reached, bounds, narrowing }: LoadedAccess,
  datasetIds: readonly string[],
  right: Right,
): RowAccess {
  const text = JSON.stringify([
    hiddenColumns.toSorted(),
    sortedTexts([...parameterValues(parameters)]),
    [...datasets.keys()].toSorted(),
    [...reached.keys()].toSorted(),
    sortedTexts(bounds.filters),
    entryTexts(bounds.grantPaths, (parties) => parties.map(alternativesText)),
    entryTexts(bounds.lookups, (ids) => ids.toSorted()),
    sortedTexts(narrowing.chartFilters),
    sortedTexts(narrowing.groupFilters),
  ]);
  return { datasetIds: [...datasetIds], right, digest: createHash('sha256').update(text).digest('base64url') };
}

/** Checks if a caller still has all rights and row filters that applied when rows were read. */
export type CheckAccess = (caller: Caller, accesses: readonly RowAccess[]) => Promise<boolean>;

/** Creates a check that compares current rights with earlier ones. The check raises Problem `row_filter_invalid`. */
export function createCheckAccess(
  service: AccountResolver & { readonly reader: Reader; readonly models: ModelCache },
): CheckAccess {
  const termsOf = createTermsCache(service.open);
  const reading = { reader: service.reader, models: service.models, known: createKnownDatasets() };
  return async (caller, accesses) => {
    const terms = await termsOf(service.reader, caller);
    for (const { datasetIds, right, digest } of accesses) {
      const access = await loadAccess(reading, caller, terms, datasetIds, right);
      if (rowAccess(caller, terms, access, datasetIds, right).digest !== digest) return false;
    }
    return true;
  };
}
