/** A column by dataset id and column id. */
export interface ColumnKey {
  readonly datasetId: string;
  readonly columnId: string;
}

/** A column of a query. `level` of a time: 1 year … 9 millisecond. `level` of a hierarchy: 1 is the root level. */
export interface ColumnRef extends ColumnKey {
  readonly level: number | null;
}

export const aggregations = [
  ...(['sum', 'cumulativesum', 'average', 'median', 'min', 'max', 'stddev'] as const),
  ...(['weightedaverage', 'rate', 'count', 'distinctcount'] as const),
] as const;
export type Aggregation = (typeof aggregations)[number];

/** A part of a time to group by instead of a level. With `weekday`, all Mondays are one group. */
export type TimePart = 'weekday' | 'month' | 'quarter' | 'week' | 'day' | 'dayOfYear' | 'hour' | 'minute';

/** A column to group or sort by. A `part` replaces the level. */
export interface GroupRef extends ColumnRef {
  readonly part: TimePart | null;
}

/** Bins of equal width over the range of a number: exactly `count` bins, or at most `count` bins with round edges. */
export interface Bins {
  readonly count: number;
  readonly isRound: boolean;
}

/** A dimension of a query. `bins` divides numbers into bins. */
export interface Dimension extends GroupRef {
  readonly bins: Bins | null;
}

export type Measure =
  | {
      readonly kind: 'column';
      readonly on: ColumnRef;
      /**
       * Null means the plain value in a query without rollup. With rollup, null means `sum` of numbers and `count` of
       * other values.
       */
      readonly aggregation: Aggregation | null;
      /** Second column of two aggregations: the weights of `weightedaverage`, the divisor of `rate`. */
      readonly second: ColumnKey | null;
    }
  | { readonly kind: 'formula'; readonly datasetId: string | null; readonly formulaId: string }
  | { readonly kind: 'expression'; readonly datasetId: string | null; readonly text: string }
  /** The number of rows of a dataset; requests write `"*"` as `column_id`. */
  | { readonly kind: 'rows'; readonly datasetId: string };

export type Scalar = string | number | boolean | null;

/** The right side of a test. */
export type Operand =
  | { readonly kind: 'none' }
  | { readonly kind: 'value'; readonly value: Scalar }
  | { readonly kind: 'list'; readonly values: readonly Scalar[] }
  /** The period of a relative date: `quantity` units. `unit` is the name of a datetime level. */
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
  /** The measure to test in `having`, where `on` is the column of the measure; null in `where`. */
  readonly measure: Measure | null;
  readonly operand: Operand;
}

/** A condition on rows in `where`, or on groups in `having`. Only tests in `having` have a `measure`. */
export type Condition = { readonly kind: 'all' | 'any'; readonly of: readonly Condition[] } | TestCondition;

/**
 * Matches rows whose lookup row in another dataset passes filters, which may look up further datasets. A lookup row has
 * in `to` the value that the row has in `from`. If there are several lookup rows, all of them must pass. A row is
 * excluded if its value in `from` is null or if it has no lookup row.
 */
export interface LookupFilter {
  readonly kind: 'lookup';
  readonly from: ColumnKey;
  readonly to: ColumnKey;
  readonly of: readonly RowFilter[];
}

/** A lookup whose visible keys were read in advance. Matches rows that have one of these keys. */
export interface KeyListFilter {
  readonly kind: 'keys';
  readonly from: ColumnKey;
  /** The type in which keys are compared. `keys` contains them as texts. */
  readonly type: KeyType;
  readonly keys: readonly string[];
}

/** Matches rows that look nothing up: their key is null or empty, whatever the type of the column. */
export interface EmptyKeyFilter {
  readonly kind: 'empty';
  readonly from: ColumnKey;
}

/** Types of keys whose values have the same text in every dialect. */
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
  /**
   * The measure to sort by. If null, the query is sorted by its dimension with this column, or else by its measure of
   * this column.
   */
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
    /**
     * True combines all members of the first dimension beyond the limit into one member, whose measures are computed
     * over all their rows.
     */
    readonly others?: true;
  };
  readonly options: {
    readonly localeId: string | null;
    readonly timezoneId: string | null;
    readonly rollupData: boolean;
    /** First day of the week, 1 Monday … 7 Sunday; null for the caller's default. */
    readonly weekstart: number | null;
    /** Maximum age in seconds of the rows of a copy; missing if any copy will do. */
    readonly maxAge?: number;
  };
}

const isGroup = (filter: RowFilter): filter is Extract<RowFilter, { readonly kind: 'all' | 'any' }> =>
  filter.kind === 'all' || filter.kind === 'any';

/** True if a row filter consists only of tests, so that it looks up no other dataset. */
export const isCondition = (filter: RowFilter): filter is Condition =>
  filter.kind === 'test' || (isGroup(filter) && filter.of.every(isCondition));
