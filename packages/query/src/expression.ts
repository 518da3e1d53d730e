import type { AggregateName, FunctionName } from './dialect/functions.ts';
import type { StorageType } from './model.ts';
import type { Scalar } from './query.ts';

/** Datetime levels: 1 year, 2 quarter, 3 month, 4 week, 5 day, 6 hour, 7 minute, 8 second, 9 millisecond. */
export type Level = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/**
 * A typed scalar expression of a plan. Formulas compile to it, dialects write it. Every node has the type of its
 * value; a `timestamp` has no zone and is UTC unless a `zone` node made it local.
 */
export type Expression =
  /** A column of a relation, by the relation's name in the plan. */
  | { readonly kind: 'column'; readonly relation: string; readonly name: string; readonly type: StorageType }
  /** Always a bound parameter; null has a type too. */
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
  /** Over the rows of a group; aggregates do not nest. `rows` has no argument. */
  | {
      readonly kind: 'aggregate';
      readonly name: AggregateName;
      readonly args: readonly Expression[];
      readonly type: StorageType;
    }
  /** The start of the period of a time. `weekstart`: 1 Monday … 7 Sunday. */
  | {
      readonly kind: 'truncate';
      readonly of: Expression;
      readonly level: Level;
      readonly weekstart: number;
      readonly type: StorageType;
    }
  /** The dialect's fastest key for grouping by period (`periodKey`), and the start of the period from the key. */
  | {
      readonly kind: 'periodKey' | 'periodStart';
      readonly of: Expression;
      readonly level: Level;
      readonly weekstart: number;
      readonly type: StorageType;
    }
  /** The number of the quarter of an hour of a UTC time (`quarterKey`), and the start of a quarter from its number. */
  | { readonly kind: 'quarterKey' | 'quarterStart'; readonly of: Expression; readonly type: StorageType }
  /** A time shifted by units of a level. Months keep the day, or take the last day of a shorter month. */
  | {
      readonly kind: 'shift';
      readonly of: Expression;
      readonly level: Level;
      readonly quantity: number;
      readonly type: StorageType;
    }
  /** `local`: from UTC to the wall clock of an IANA zone; `utc`: back. Both sides are `timestamp`. */
  | {
      readonly kind: 'zone';
      readonly of: Expression;
      readonly to: 'local' | 'utc';
      readonly zone: string;
      readonly type: StorageType;
    }
  /** The first `level` parts of a path such as `Europe/Belgium/Ghent`; a shorter path is itself. */
  | {
      readonly kind: 'path';
      readonly of: Expression;
      readonly separator: string;
      readonly level: number;
      readonly type: StorageType;
    }
  /** 0-based index of the bin of a number between `low` and `high`; `high` is in the last bin. */
  | {
      readonly kind: 'bin';
      readonly of: Expression;
      readonly low: Expression;
      readonly high: Expression;
      readonly bins: number;
      readonly type: StorageType;
    }
  /** Running sum in the given order (nulls last). */
  | {
      readonly kind: 'running';
      readonly of: Expression;
      readonly order: readonly Expression[];
      readonly type: StorageType;
    }
  /** Row number within each part in the given order (nulls last). */
  | {
      readonly kind: 'position';
      readonly per: readonly Expression[];
      readonly order: readonly Expression[];
      readonly type: StorageType;
    }
  /** The value of a select with one column and one row. */
  | { readonly kind: 'subquery'; readonly select: Select; readonly type: StorageType }
  /** Tests a value against a select with one column without nulls; null for null. */
  | { readonly kind: 'member'; readonly of: Expression; readonly select: Select; readonly type: 'boolean' }
  /** Tests a value against a list that is one bound value; null for null. */
  | { readonly kind: 'listed'; readonly of: Expression; readonly keys: readonly string[]; readonly type: 'boolean' };

/** A column to read, by its name in the relation. */
export interface ScanColumn {
  readonly name: string;
  readonly storageType: StorageType;
  /** See `ModelColumn`. */
  readonly nativeText?: boolean;
}

/** Rows of a dataset: the row filters of the caller, then the query's filters on its columns. */
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
  /** Equal pairs; null equals nothing. Empty for `cross`. */
  readonly on: readonly (readonly [Expression, Expression])[];
}

export interface SelectColumn {
  readonly as: string;
  readonly of: Expression;
}

export interface Select {
  readonly kind: 'select';
  readonly from: Scan | Stack | Select;
  /** Name of `from` in expressions. */
  readonly as: string;
  readonly joins: readonly Join[];
  readonly where: readonly Expression[];
  readonly columns: readonly SelectColumn[];
  /** Number of leading columns to group by; null for no grouping, 0 for one row. */
  readonly grouped: number | null;
  readonly distinct: boolean;
  readonly having: readonly Expression[];
  /** Columns of this select. */
  readonly order: readonly { readonly as: string; readonly direction: 'asc' | 'desc' }[];
  readonly limit: number | null;
  readonly offset: number;
}

/** FROM and WHERE of a select. */
export type RowSource = Pick<Select, 'from' | 'as' | 'joins' | 'where'>;

/** Resolves column names of formulas; null if the caller has no such column. */
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

/** Creates a function or operator over arguments. */
export const call = (name: FunctionName, args: readonly Expression[], type: StorageType): Expression => ({
  kind: 'call',
  name,
  args,
  type,
});

/** Creates a test, with the result true, false or null; null excludes a row. */
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

/** Creates a select of these columns and nothing else. */
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
