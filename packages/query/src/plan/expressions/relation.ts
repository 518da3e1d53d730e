import type { Expression } from '../../expression.ts';
import type { StorageType } from '../../model.ts';

/** A column that is read, by its name in the relation it comes from. */
export interface ScanColumn {
  readonly name: string;
  readonly kept: StorageType;
  /** See `ModelColumn`. */
  readonly nativeText?: boolean;
}

/** Rows of one dataset: the filters of its caller first, always, then what the query asks of its own columns. */
export interface Scan {
  readonly kind: 'scan';
  readonly datasetId: string;
  readonly columns: readonly ScanColumn[];
  readonly rowFilters: readonly Expression[];
  readonly filters: readonly Expression[];
}

/** The rows of several selects with the same columns, one after the other. */
export interface Stack {
  readonly kind: 'stack';
  readonly of: readonly Select[];
}

export interface Join {
  readonly how: 'inner' | 'left' | 'cross';
  readonly to: Select;
  readonly as: string;
  /** Both sides equal; a null never is. Empty for `cross`. */
  readonly on: readonly (readonly [Expression, Expression])[];
}

export interface SelectColumn {
  readonly as: string;
  readonly of: Expression;
}

/** One SELECT. */
export interface Select {
  readonly kind: 'select';
  readonly from: Scan | Stack | Select;
  /** By what name expressions speak of `from`. */
  readonly as: string;
  readonly joins: readonly Join[];
  readonly where: readonly Expression[];
  readonly columns: readonly SelectColumn[];
  /** So many first columns are grouped by; null: rows as they are. 0: one row. */
  readonly grouped: number | null;
  readonly distinct: boolean;
  readonly having: readonly Expression[];
  /** By columns of this select. */
  readonly order: readonly { readonly as: string; readonly direction: 'asc' | 'desc' }[];
  readonly limit: number | null;
  readonly offset: number;
}
