import type { JsonObject } from '@inlay/contract';
import type { ModelDataset } from '@inlay/query';
import type { FoundFilter, FoundFilters, OtherFilters } from '../../access/filter-kinds.ts';
import type { Lookups } from '../../access/lookups.ts';

/** The stored account of a dataset, with sealed secrets. */
export interface StoredAccount {
  readonly id: string;
  readonly organizationId: string | null;
  readonly revision: number;
  readonly record: JsonObject;
  readonly sealed: Readonly<Record<string, string>>;
}

/** A dataset that the caller may use, with everything that a query needs. */
export interface LoadedDataset {
  readonly id: string;
  readonly organizationId: string;
  readonly revision: number;
  readonly record: JsonObject;
  /** Version of the dataset's rows in the columnar engine; null if the rows stay at the source. */
  readonly dataVersion: string | null;
  readonly account: StoredAccount | null;
  /** All columns and formulas of the dataset, including hidden ones. */
  readonly model: ModelDataset;
}

/**
 * A disjunction of conjunctions: a row is visible if all filters of one list match. An empty disjunction hides every
 * row.
 */
export type Alternatives = readonly (readonly FoundFilter[])[];

/** Restrictions on the rows of datasets for a caller. */
export interface RowFilterSet {
  /** Lookups between datasets, along which filters propagate. */
  readonly lookups: Lookups;
  /** Filters that must all match. */
  readonly filters: readonly FoundFilter[];
  /**
   * By dataset: for each party that must have the right, the rows visible through each of its grants; no entry if all
   * are.
   */
  readonly grantPaths: ReadonlyMap<string, readonly Alternatives[]>;
}

/** Restrictions on rows, and the other filters on the same links. */
export interface LoadedRowFilters extends RowFilterSet {
  readonly others: OtherFilters;
}

/** Settings of an embed token besides its rights. */
export interface TokenTerms {
  readonly filters: FoundFilters;
  readonly parameters: JsonObject;
  /** Names of parameters whose values must not be shown. */
  readonly sensitive: readonly string[];
  /** Dataset of each hidden column; null if unknown. */
  readonly hiddenOf: ReadonlyMap<string, string | null>;
  /** Connections that replace accounts, by account id. */
  readonly overrides: JsonObject;
  /** The person reported to plugins; null for a person's own token. */
  readonly person: { readonly id: string | null; readonly name: string | null; readonly email: string | null } | null;
  readonly timeZone: string | null;
  readonly locale: string | null;
}
