import type { Level } from '@inlay/contract';
import type { AggregateName, FunctionName } from './dialect/functions.ts';
import type { StorageType } from './model.ts';
import type { Scalar } from './query.ts';

export type { Level };

/**
 * A typed scalar expression of a plan. Formulas compile to expressions, and dialects write them as SQL. `type` is the
 * type of the value. A `timestamp` has no zone; it is UTC unless a `zone` node made it local.
 */
export type Expression =
  /** A column. `relation` is the name of its relation in the plan. */
  | { readonly kind: 'column'; readonly relation: string; readonly name: string; readonly type: StorageType }
  /** A value that is always bound as a parameter. Null has a type too. */
  | { readonly kind: 'literal'; readonly value: Scalar; readonly type: StorageType }
  | {
      readonly kind: 'call';
      readonly name: FunctionName;
      readonly args: readonly Expression[];
      readonly type: StorageType;
    }
  | { readonly kind: 'cast'; readonly of: Expression; readonly type: StorageType }
  | {
      readonly kind: 'case';
      readonly when: readonly { readonly test: Expression; readonly result: Expression }[];
      readonly otherwise: Expression | null;
      readonly type: StorageType;
    }
  /** Computes over the rows of a group. Aggregates do not nest. `rows` has no argument. */
  | {
      readonly kind: 'aggregate';
      readonly name: AggregateName;
      readonly args: readonly Expression[];
      readonly type: StorageType;
    }
  /** Truncates a time to the start of its period, such as its month. `weekstart`: 1 Monday … 7 Sunday. */
  | {
      readonly kind: 'truncate';
      readonly of: Expression;
      readonly level: Level;
      readonly weekstart: number;
      readonly type: StorageType;
    }
  /**
   * `periodKey` converts a time to the dialect's fastest key for grouping by period; `periodStart` converts the key to
   * the start of the period.
   */
  | {
      readonly kind: 'periodKey' | 'periodStart';
      readonly of: Expression;
      readonly level: Level;
      readonly weekstart: number;
      readonly type: StorageType;
    }
  /**
   * `quarterKey` converts a UTC time to the number of its quarter of an hour; `quarterStart` converts that number to
   * the start of the quarter.
   */
  | { readonly kind: 'quarterKey' | 'quarterStart'; readonly of: Expression; readonly type: StorageType }
  /**
   * Shifts a time by `quantity` periods of a level. A shift by months keeps the day, or takes the last day of a shorter
   * month.
   */
  | {
      readonly kind: 'shift';
      readonly of: Expression;
      readonly level: Level;
      readonly quantity: number;
      readonly type: StorageType;
    }
  /**
   * `local` converts a UTC time to the wall clock of an IANA zone; `utc` converts it back. Both are of type
   * `timestamp`.
   */
  | {
      readonly kind: 'zone';
      readonly of: Expression;
      readonly to: 'local' | 'utc';
      readonly zone: string;
      readonly type: StorageType;
    }
  /** The first `level` parts of a path such as `Europe/Belgium/Ghent`. A path with fewer parts is unchanged. */
  | {
      readonly kind: 'path';
      readonly of: Expression;
      readonly separator: string;
      readonly level: number;
      readonly type: StorageType;
    }
  /**
   * 0-based index of the bin that contains a number. The bins divide the range from `low` to `high`; `high` is in the
   * last bin.
   */
  | {
      readonly kind: 'bin';
      readonly of: Expression;
      readonly low: Expression;
      readonly high: Expression;
      readonly bins: number;
      readonly type: StorageType;
    }
  /** Running sum of `of` in the order of `order`; nulls come last. */
  | {
      readonly kind: 'running';
      readonly of: Expression;
      readonly order: readonly Expression[];
      readonly type: StorageType;
    }
  /** Row number, from 1, among the rows with equal `per`, in the order of `order`; nulls come last. */
  | {
      readonly kind: 'position';
      readonly per: readonly Expression[];
      readonly order: readonly Expression[];
      readonly type: StorageType;
    }
  /** The value of a select with one column and one row. */
  | { readonly kind: 'subquery'; readonly select: Select; readonly type: StorageType }
  /** `value IN (select)`. The select has a single column that contains no nulls. A null value gives null. */
  | { readonly kind: 'member'; readonly of: Expression; readonly select: Select; readonly type: 'boolean' }
  /** `value IN (list)`. The whole list is a single bound value. A null value gives null. */
  | { readonly kind: 'listed'; readonly of: Expression; readonly keys: readonly string[]; readonly type: 'boolean' };

/** A column to read. `name` is its name in the relation. */
export interface ScanColumn {
  readonly name: string;
  readonly storageType: StorageType;
  /** See `ModelColumn`. */
  readonly nativeText?: boolean;
}

/** Reads rows of a dataset. The row filters of the caller apply first, then the query's filters on the dataset. */
export interface Scan {
  readonly kind: 'scan';
  readonly datasetId: string;
  readonly columns: readonly ScanColumn[];
  readonly rowFilters: readonly Expression[];
  readonly filters: readonly Expression[];
}

/** UNION ALL of selects with the same columns. */
export interface Stack {
  readonly kind: 'stack';
  readonly of: readonly Select[];
}

export interface Join {
  readonly how: 'inner' | 'left' | 'cross';
  readonly to: Select;
  readonly as: string;
  /** Pairs of expressions that must be equal. Null equals nothing. Empty for `cross`. */
  readonly on: readonly (readonly [Expression, Expression])[];
}

export interface SelectColumn {
  readonly as: string;
  readonly of: Expression;
}

export interface Select {
  readonly kind: 'select';
  readonly from: Scan | Stack | Select;
  /** Name by which expressions refer to `from`. */
  readonly as: string;
  readonly joins: readonly Join[];
  readonly where: readonly Expression[];
  readonly columns: readonly SelectColumn[];
  /** Number of leading columns to group by. 0 combines all rows into one row; null does not group. */
  readonly grouped: number | null;
  readonly distinct: boolean;
  readonly having: readonly Expression[];
  /** Sort keys. `as` is the name of a column of this select. */
  readonly order: readonly { readonly as: string; readonly direction: 'asc' | 'desc' }[];
  readonly limit: number | null;
  readonly offset: number;
}

/** FROM and WHERE of a select. */
export type RowSource = Pick<Select, 'from' | 'as' | 'joins' | 'where'>;

/** Returns what a column name in a formula stands for; null if the caller has no such column. */
export type Scope = (reference: string) => Expression | null;

/** Creates a column of a relation. */
export const column = (relation: string, name: string, type: StorageType): Expression => ({
  kind: 'column',
  relation,
  name,
  type,
});

/** Creates a bound value. */
export const literal = (value: Scalar, type: StorageType): Expression => ({ kind: 'literal', value, type });

/** Creates a call of a function or operator. */
export const call = (name: FunctionName, args: readonly Expression[], type: StorageType): Expression => ({
  kind: 'call',
  name,
  args,
  type,
});

/** Creates a test. Its result is true, false or null, and null excludes a row as false does. */
export const test = (name: FunctionName, ...args: readonly Expression[]): Expression => call(name, args, 'boolean');

/** Creates an aggregate over the rows of a group. */
export const aggregate = (name: AggregateName, args: readonly Expression[], type: StorageType): Expression => ({
  kind: 'aggregate',
  name,
  args,
  type,
});

/** Creates a cast; returns the expression itself if it already has the type. */
export const cast = (of: Expression, type: StorageType): Expression =>
  of.type === type ? of : { kind: 'cast', of, type };

/** Creates a select with only these columns: no joins, filters, groups or order. */
export const selectOf = (from: Select['from'], as: string, columns: Select['columns']): Select => ({
  kind: 'select',
  from,
  as,
  joins: [],
  where: [],
  columns,
  grouped: null,
  distinct: false,
  having: [],
  order: [],
  limit: null,
  offset: 0,
});
