import type { AggregateName, FunctionName } from './dialect/functions.ts';
import type { StorageType } from './model.ts';
import type { Scalar } from './query.ts';

/** Datetime levels: 1 year, 2 quarter, 3 month, 4 week, 5 day, 6 hour, 7 minute, 8 second, 9 millisecond. */
export type Level = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/**
 * A typed scalar expression of a plan: formulas compile to it and dialects write it. Every node says the type of its
 * value; a `timestamp` is a time without zone and means UTC unless a `zone` node made it local.
 */
export type Expression =
  /** A column of the relation that goes by that name in the plan; the planner hands these to formulas. */
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
  /** Over the rows of a group; no aggregate stands inside another. `rows` has no argument. */
  | {
      readonly kind: 'aggregate';
      readonly name: AggregateName;
      readonly args: readonly Expression[];
      readonly type: StorageType;
    }
  /** The start of the period in which a time lies. `weekstart`: 1 Monday … 7 Sunday. */
  | {
      readonly kind: 'truncate';
      readonly of: Expression;
      readonly level: Level;
      readonly weekstart: number;
      readonly type: StorageType;
    }
  /** What the dialect groups a period by fastest (`periodKey`), and the start of the period made of it again. */
  | {
      readonly kind: 'periodKey' | 'periodStart';
      readonly of: Expression;
      readonly level: Level;
      readonly weekstart: number;
      readonly type: StorageType;
    }
  /** A number for the quarter of an hour in which a time in UTC lies (`quarterKey`), and its start made of it again. */
  | { readonly kind: 'quarterKey' | 'quarterStart'; readonly of: Expression; readonly type: StorageType }
  /** A time moved by whole units of a level; months keep the day where the month has it, else its last day. */
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
  /** 0-based number of the equal part between `low` and `high` in which a number lies; `high` is in the last. */
  | {
      readonly kind: 'bin';
      readonly of: Expression;
      readonly low: Expression;
      readonly high: Expression;
      readonly bins: number;
      readonly type: StorageType;
    }
  /** Sum of this row and those before it in the order given (nulls last). */
  | {
      readonly kind: 'running';
      readonly of: Expression;
      readonly order: readonly Expression[];
      readonly type: StorageType;
    }
  /** 1 for the first row of each part in the order given (nulls last), 2 for the next … */
  | {
      readonly kind: 'position';
      readonly per: readonly Expression[];
      readonly order: readonly Expression[];
      readonly type: StorageType;
    }
  /** The one value of a select with one column that answers one row. */
  | { readonly kind: 'subquery'; readonly select: Select; readonly type: StorageType }
  /** Whether a value is among those of a select with one column, none of them null; null where the value is null. */
  | { readonly kind: 'member'; readonly of: Expression; readonly select: Select; readonly type: 'boolean' }
  /** Whether a value is among many, which are sent as one value; null where the value is null. */
  | { readonly kind: 'listed'; readonly of: Expression; readonly keys: readonly string[]; readonly type: 'boolean' };

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

/** What rows are read from and which of them: the FROM and WHERE of a select. */
export type RowSource = Pick<Select, 'from' | 'as' | 'joins' | 'where'>;

/** Where a formula finds the columns it names: null when there is none by that name for this caller. */
export type Scope = (reference: string) => Expression | null;

/** A column of a relation. */
export const column = (relation: string, name: string, type: StorageType): Expression => ({
  kind: 'column',
  relation,
  name,
  type,
});

/** A bound value. */
export const literal = (value: Scalar, type: StorageType): Expression => ({ kind: 'literal', value, type });

/** A function or operator over arguments. */
export const call = (name: FunctionName, args: readonly Expression[], type: StorageType): Expression => ({
  kind: 'call',
  name,
  args,
  type,
});

/** A test: its value is true, false or null (null lets no row through). */
export const test = (name: FunctionName, ...args: readonly Expression[]): Expression => call(name, args, 'boolean');

/** An aggregate over the rows of a group. */
export const aggregate = (name: AggregateName, args: readonly Expression[], type: StorageType): Expression => ({
  kind: 'aggregate',
  name,
  args,
  type,
});

/** An expression as another type; itself where it has that type already. */
export const cast = (of: Expression, type: StorageType): Expression =>
  of.type === type ? of : { kind: 'cast', of, type };

/** A select of these columns and nothing else. */
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
