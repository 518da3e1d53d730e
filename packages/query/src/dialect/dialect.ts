import type { Level } from '../expression.ts';
import type { StorageType } from '../model.ts';
import type { Scalar } from '../query.ts';
import type { Cell } from '../cell.ts';
import type { Lines } from '../lines.ts';
import type { Sql } from '../sql.ts';
import type { AggregateName, FunctionName } from './functions.ts';

/** Why a dialect cannot compute something exactly. Either the query fails with this reason, or DuckDB finishes it. */
export interface UnsupportedFeature {
  readonly unsupported: string;
}
export const unsupported = (why: string): UnsupportedFeature => ({ unsupported: why });

/** A piece of SQL, or the reason why the dialect cannot write it. */
export type EmittedSql = Sql | UnsupportedFeature;

/** The SQL of an argument, and its type. */
export interface Arg {
  readonly sql: Sql;
  readonly type: StorageType;
}

/** A cell of the answer and the SQL of the columns that it combines. Columns of members are text. */
export interface WrittenCell {
  readonly cell: Cell;
  readonly values: readonly Arg[];
}

/**
 * How a database writes plans. A dialect has only what differs between databases, and neither state nor I/O. Times are
 * `timestamp`: a wall clock without a zone, in UTC unless stated otherwise. Every member means the same in every
 * dialect.
 */
export interface Dialect {
  readonly name: string;
  /**
   * Quotes an identifier of the model. Raises QueryProblem `unsupported` for a name that the database cannot represent.
   */
  quote(identifier: string): string;
  /** Returns the placeholder of the bound value at a position from 1: `$1`, `?` or `{p1:String}`. */
  placeholder(position: number): string;
  /**
   * Writes a bound value with an explicit type. A `timestamp` is ISO text in UTC without a zone: `2024-03-01
   * 00:00:00.000`.
   */
  literal(value: Scalar, type: StorageType): EmittedSql;
  /**
   * Decodes a column of a relation, so that equality, grouping and order are the same in every dialect: texts by code
   * point, `timestamptz` as `timestamp` in UTC. `type` is the storage type; `valueType` returns the type of the result.
   */
  column(of: Sql, type: StorageType): EmittedSql;
  /**
   * Returns a value that the database compares with a column by the collation of the column, so that an index applies.
   * The test may match more rows than those with exactly this text. Null if an index supports exact comparisons.
   */
  readonly nativeText: ((text: string) => Sql) | null;
  /**
   * How the database compares a `timestamptz` column with times in UTC such that an index or the statistics of the
   * column apply, which they do not to a decoded column. Null if it has no such columns or decodes them at no cost.
   */
  readonly moments: {
    /** Writes the column, not decoded, with as many digits as times have. */
    readonly column: (of: Sql) => Sql;
    readonly fromUtc: (time: Sql) => Sql;
  } | null;
  /** Casts a value; values that cannot be converted become null. */
  cast(of: Arg, to: StorageType): EmittedSql;
  /** Operators and functions; `type` is the type of the result. */
  readonly functions: Readonly<Record<FunctionName, (args: readonly Arg[], type: StorageType) => EmittedSql>>;
  readonly aggregates: Readonly<Record<AggregateName, (args: readonly Arg[], type: StorageType) => EmittedSql>>;
  /** Truncates a time to the start of its period, with the same type. `weekstart`: 1 Monday … 7 Sunday. */
  truncate(of: Arg, level: Level, weekstart: number): EmittedSql;
  /**
   * A key that databases group by faster than by `truncate`. Keys have the order of the times, and `start` converts a
   * key to the start of its period. Null if grouping by `truncate` is fast enough.
   */
  readonly periods: {
    key(of: Arg, level: Level, weekstart: number): EmittedSql;
    start(key: Sql, type: StorageType, level: Level, weekstart: number): EmittedSql;
    /** True if the key differs from `truncate` for this level and type, so that `start` must convert it. */
    differs(level: Level, type: StorageType): boolean;
  } | null;
  /**
   * Converts a time to the number of its quarter of an hour, and that number to the start of the quarter. Null if
   * grouping by quarters before converting zones is not faster.
   */
  readonly quarters: { key(of: Sql): Sql; start(key: Sql): Sql } | null;
  /** True if the database groups by raw texts faster than by decoded texts, and forms the same groups. */
  readonly groupsRawText: boolean;
  shift(of: Arg, level: Level, quantity: number): EmittedSql;
  zone(of: Arg, to: 'local' | 'utc', zone: string): EmittedSql;
  path(of: Sql, separator: string, level: number): EmittedSql;
  bin(of: Arg, low: Sql, high: Sql, bins: number): EmittedSql;
  /** `value IN (list)` for integers or texts. The whole list is a single bound value. */
  listed(of: Arg, keys: readonly string[]): EmittedSql;
  /** Returns one sort key, nulls last: `x DESC NULLS LAST`. */
  order(of: Sql, direction: 'asc' | 'desc'): Sql;
  /**
   * How sort keys refer to columns of the select: by position, or by name in an outer select. The outer select is for
   * databases that would read an alias inside an expression as a column of the relation.
   */
  readonly sortsBy: 'position' | 'name';
  /**
   * Reserved names, in lower case, that do not refer to a column. If set, relations are read through a select that
   * lists only their columns. Null for DuckDB, which has no such names.
   */
  readonly reservedNames: ReadonlySet<string> | null;
  /**
   * How to evaluate a test only on rows that pass earlier tests. `offset` puts the earlier tests in a subquery with
   * `OFFSET 0`, which still streams rows. `case` puts the test in a CASE branch, which is evaluated only if its
   * condition is true.
   */
  readonly fence: 'offset' | 'case';
  /**
   * Wraps a test to correct the row estimate of the database's planner; null if its estimate is good. The test reads
   * looked-up values, or follows a test by an index that already found the same rows. PostgreSQL assumes that hardly any
   * rows pass such a test. It then joins by nested loops and rereads all other rows for each passing row.
   */
  readonly lookedUpTest: ((test: Sql) => Sql) | null;
  /**
   * Wraps a select of one row that is joined with all other rows, so that the database computes it only once; null if it
   * does so anyway. PostgreSQL may compute it again for each other row if it expects few of them.
   */
  readonly onceForAllRows: ((select: Sql) => Sql) | null;
  /** Writes ` LIMIT 10 OFFSET 5`. `by` is null if there is no limit. The planner has already checked both numbers. */
  limit(by: number | null, offset: number): string;
  /**
   * Writes a row as JSON text in wire format, in one column. The `values` of a cell are the columns that it combines
   * (three for `bin`: index, low, high). Null if the database cannot write it, so that the caller formats rows.
   */
  jsonRow: ((cells: readonly WrittenCell[], locale: string) => Sql) | null;
  /** Writes a row as a line of a file with its line end, in one column. Null if the caller formats the lines. */
  line: ((cells: readonly WrittenCell[], lines: Lines) => Sql) | null;
}
