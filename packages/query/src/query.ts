/** A column by dataset id and column id. */
export interface ColumnKey {
  readonly datasetId: string;
  readonly columnId: string;
}

/** A column of a query. `level`: datetime 1 year … 9 millisecond; hierarchy levels count from the root. */
export interface ColumnRef extends ColumnKey {
  readonly level: number | null;
}

export const aggregations = [
  ...(['sum', 'cumulativesum', 'average', 'median', 'min', 'max', 'stddev'] as const),
  ...(['weightedaverage', 'rate', 'count', 'distinctcount'] as const),
] as const;
export type Aggregation = (typeof aggregations)[number];

/** A part of a time to group by instead of a level: all Mondays are one group. */
export type TimePart = 'weekday' | 'month' | 'quarter' | 'week' | 'day' | 'dayOfYear' | 'hour' | 'minute';

/** A column to group or sort by. A `part` overrides the level. */
export interface GroupRef extends ColumnRef {
  readonly part: TimePart | null;
}

/** Equal bins of numbers: `count` from the least to the greatest, or at most `count` with round edges. */
export interface Bins {
  readonly count: number;
  readonly isRound: boolean;
}

/** A dimension; `bins` bins a number. */
export interface Dimension extends GroupRef {
  readonly bins: Bins | null;
}

export type Measure =
  | {
      readonly kind: 'column';
      readonly on: ColumnRef;
      /** Null for the plain values without rollup, else `sum` for numbers and `count` for others. */
      readonly aggregation: Aggregation | null;
      /** Weight of `weightedaverage`, divisor of `rate`. */
      readonly second: ColumnKey | null;
    }
  | { readonly kind: 'formula'; readonly datasetId: string | null; readonly formulaId: string }
  | { readonly kind: 'expression'; readonly datasetId: string | null; readonly text: string }
  /** Number of rows: `column_id` is `"*"`. */
  | { readonly kind: 'rows'; readonly datasetId: string };

export type Scalar = string | number | boolean | null;

/** What a test compares with. */
export type Operand =
  | { readonly kind: 'none' }
  | { readonly kind: 'value'; readonly value: Scalar }
  | { readonly kind: 'list'; readonly values: readonly Scalar[] }
  /** Period of a relative date. `unit` is the name of a datetime level. */
  | { readonly kind: 'period'; readonly unit: string; readonly quantity: number };

/** One test of a condition. */
export interface TestCondition {
  readonly kind: 'test';
  /**
   * An expression of `filterExpressions` in the contract package, without its question marks: `=`, `not in`,
   * `last_now`.
   */
  readonly expression: string;
  readonly on: ColumnRef;
  /** The measure to test in `having`; `on` is its column. */
  readonly measure: Measure | null;
  readonly operand: Operand;
}

/** A condition on rows (`where`, where `measure` is null) or on groups (`having`). */
export type Condition = { readonly kind: 'all' | 'any'; readonly of: readonly Condition[] } | TestCondition;

/**
 * Matches rows whose lookup row in another dataset passes filters recursively: the row with the value of `from` in
 * `to`. If several rows have it, all of them must pass. A row without a match, or with a null value, is excluded.
 */
export interface LookupFilter {
  readonly kind: 'lookup';
  readonly from: ColumnKey;
  readonly to: ColumnKey;
  readonly of: readonly RowFilter[];
}

/** A lookup whose visible keys were read before: matches rows with one of these keys. */
export interface KeyListFilter {
  readonly kind: 'keys';
  readonly from: ColumnKey;
  /** Type for the comparison; the keys themselves are texts. */
  readonly type: KeyType;
  readonly keys: readonly string[];
}

/** Matches rows without a lookup value: null or an empty key, whatever the type of the column. */
export interface EmptyKeyFilter {
  readonly kind: 'empty';
  readonly from: ColumnKey;
}

/** Types of keys that have the same text in every dialect. */
export type KeyType = 'integer' | 'text';

/**
 * A filter that restricts which rows of a dataset a caller sees in any query. specification/data-queries#row-filters
 */
export type RowFilter =
  | { readonly kind: 'all' | 'any'; readonly of: readonly RowFilter[] }
  | TestCondition
  | LookupFilter
  | KeyListFilter
  | EmptyKeyFilter;

export interface Order {
  readonly on: GroupRef;
  /** Null sorts by a dimension, or by a measure of the query on this column. */
  readonly measure: Measure | null;
  readonly direction: 'asc' | 'desc';
}

/** A data query as parsed. */
export interface Query {
  readonly dimensions: readonly Dimension[];
  readonly measures: readonly Measure[];
  readonly where: readonly Condition[];
  readonly having: readonly Condition[];
  readonly order: readonly Order[];
  readonly limit: {
    readonly by: number | null;
    readonly offset: number;
    /** Combines members of the first dimension past the limit, with each measure computed over all their rows. */
    readonly others?: true;
  };
  readonly options: {
    readonly localeId: string | null;
    readonly timezoneId: string | null;
    readonly rollupData: boolean;
    /** 1 Monday … 7 Sunday; null for the default of the caller. */
    readonly weekstart: number | null;
  };
}

const isGroup = (filter: RowFilter): filter is Extract<RowFilter, { readonly kind: 'all' | 'any' }> =>
  filter.kind === 'all' || filter.kind === 'any';

/** True if a row filter is made of tests on its own dataset alone. */
export const isCondition = (filter: RowFilter): filter is Condition =>
  filter.kind === 'test' || (isGroup(filter) && filter.of.every(isCondition));
