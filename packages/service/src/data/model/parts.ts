import type { JsonObject } from '@inlay/contract';
import type { ModelDataset, NewestTimes, Rollup } from '@inlay/query';
import type { Party } from '../../access/caller.ts';
import type { FilterLink, FoundFilter, FoundFilters, OtherFilters } from '../../access/filter-kinds.ts';
import type { Lookups } from '../../access/lookups.ts';

/** The stored account of a dataset. Its secrets are still sealed. */
export interface StoredAccount {
  readonly id: string;
  readonly organizationId: string | null;
  readonly revision: number;
  readonly record: JsonObject;
  readonly sealed: Readonly<Record<string, string>>;
}

/** The copy of a dataset in the engine. */
export interface DatasetCopy {
  readonly version: string;
  readonly fingerprint: string;
  readonly dataAsOf: string;
  /** The rollups that queries may read. */
  readonly rollups: readonly Rollup[];
  /** The newest time of its columns, by name. */
  readonly newest: NewestTimes;
}

/** The acceleration of a dataset. */
export interface DatasetAcceleration {
  readonly id: string;
  /** The copy in use; null before the first refresh has succeeded. */
  readonly copy: DatasetCopy | null;
  /** The column that has a value in deleted rows; null if no row counts as deleted. */
  readonly deletedColumnId: string | null;
}

/** The current rows of a dataset at the cluster. */
export interface Publication {
  readonly id: string;
  /** Catalog, schema and name of the table. */
  readonly place: readonly string[];
  /** Names of the columns of the rows, in the order of the columns of the table. */
  readonly columns: readonly string[];
}

/** A dataset that the caller may use, with everything that a query needs. */
export interface LoadedDataset {
  readonly id: string;
  readonly organizationId: string;
  readonly revision: number;
  readonly record: JsonObject;
  /** Version of the dataset's rows in the engine; null if the rows stay at the source. */
  readonly dataVersion: string | null;
  readonly account: StoredAccount | null;
  readonly acceleration: DatasetAcceleration | null;
  /** Where the cluster has the stored rows, or the copy; null if it does not have this version. */
  readonly publication: Publication | null;
  /** All columns and formulas of the dataset, including hidden ones. */
  readonly model: ModelDataset;
}

/**
 * Alternatives for seeing a row: the row is visible if all filters of at least one list match. If there are no
 * alternatives, every row is hidden.
 */
export type Alternatives = readonly (readonly FoundFilter[])[];

/** The restrictions on the rows of datasets for a caller. */
export interface RowFilterSet {
  /** Lookups between datasets, along which filters propagate. */
  readonly lookups: Lookups;
  /** Filters that must all match. */
  readonly filters: readonly FoundFilter[];
  /**
   * By dataset id: for each party that must have the right, the rows that its grants show. Has no entry for a dataset
   * if the parties see all its rows.
   */
  readonly grantPaths: ReadonlyMap<string, readonly Alternatives[]>;
}

/** Restrictions on rows, and the filters of other kinds on the same links. */
export interface LoadedRowFilters extends RowFilterSet {
  readonly others: OtherFilters;
  /** By dataset id: the parties of the entries in `grantPaths`. */
  readonly boundParties: ReadonlyMap<string, readonly Party[]>;
  /** The links that have the filters, including those of grantors. */
  readonly links: readonly FilterLink[];
}

/** Settings of an embed token other than its rights. */
export interface TokenTerms {
  readonly filters: FoundFilters;
  readonly parameters: JsonObject;
  /** Names of the parameters whose values must not be shown. */
  readonly sensitive: readonly string[];
  /** For each hidden column, the id of its dataset; null if unknown. */
  readonly hiddenOf: ReadonlyMap<string, string | null>;
  /** Connections that replace those of accounts, by account id. */
  readonly overrides: JsonObject;
  /** The person that plugins are told about; null for a token of a person, since that person is known. */
  readonly person: { readonly id: string | null; readonly name: string | null; readonly email: string | null } | null;
  readonly timeZone: string | null;
  readonly locale: string | null;
}
