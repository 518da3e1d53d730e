import type { JsonObject } from '@inlay/contract';
import type { ModelDataset } from '@inlay/query';
import type { FoundFilter, FoundFilters, OtherFilters } from '../../access/filter-kinds.ts';
import type { Lookups } from '../../access/lookups.ts';

/** The account a dataset comes from, as stored; secrets still sealed. */
export interface StoredAccount {
  readonly id: string;
  readonly organizationId: string | null;
  readonly revision: number;
  readonly record: JsonObject;
  readonly sealed: Readonly<Record<string, string>>;
}

/** A dataset the caller may use, with everything a query may need of it. */
export interface LoadedDataset {
  readonly id: string;
  readonly organizationId: string;
  readonly revision: number;
  readonly record: JsonObject;
  /** Version of its rows in the columnar engine; null where they stay at the source. */
  readonly dataVersion: string | null;
  readonly account: StoredAccount | null;
  /** All of its columns and formulas, hidden ones included. */
  readonly model: ModelDataset;
}

/** Lists of row filters: a row is seen where all of one list hold. No list at all opens no row. */
export type Alternatives = readonly (readonly FoundFilter[])[];

/** What bounds the rows of datasets for a caller. */
export interface RowBounds {
  /** What the datasets look up: filters there hold here too. */
  readonly lookups: Lookups;
  /** All of them hold. */
  readonly filters: readonly FoundFilter[];
  /** By dataset: for each who must hold the right, what the ways by which they hold it open; none where all is open. */
  readonly ways: ReadonlyMap<string, readonly Alternatives[]>;
}

/** What bounds the rows, and the other filters on the same links. */
export interface LoadedBounds extends RowBounds {
  readonly others: OtherFilters;
}

/** What an embed token carries in addition to its rights. */
export interface TokenTerms {
  readonly filters: FoundFilters;
  readonly parameters: JsonObject;
  /** Names of parameters whose values are not to be shown. */
  readonly sensitive: readonly string[];
  /** The dataset of each hidden column; null where it is not known. */
  readonly hiddenOf: ReadonlyMap<string, string | null>;
  /** Connections to use in place of accounts, by account id. */
  readonly overrides: JsonObject;
  /** The person that plugins receive for it; null for a person's own token. */
  readonly person: { readonly id: string | null; readonly name: string | null; readonly email: string | null } | null;
  readonly timeZone: string | null;
  readonly locale: string | null;
}
