import type { Level } from '../expression.ts';
import type { StorageType } from '../model.ts';
import type { Scalar } from '../query.ts';
import type { Cell } from '../cell.ts';
import type { Lines } from '../lines.ts';
import type { Sql } from '../sql.ts';
import type { AggregateName, FunctionName } from './functions.ts';

/** Why a dialect cannot compute something exactly. Either a problem at plan time, or a reason to finish in DuckDB. */
export interface UnsupportedFeature {
  readonly unsupported: string;
}
export const unsupported = (why: string): UnsupportedFeature => ({ unsupported: why });

/** A piece of a statement, or why the dialect has none. */
export type EmittedSql = Sql | UnsupportedFeature;

/** An emitted argument with its type. */
export interface Arg {
  readonly sql: Sql;
  readonly type: StorageType;
}

/** A cell of the answer and its columns; members are text. */
export interface WrittenCell {
  readonly cell: Cell;
  readonly values: readonly Arg[];
}

/**
 * How a database writes plans: a value that lists only what differs, without state or I/O. Times are
 * `timestamp`: wall clock without zone, UTC unless stated otherwise. Every member means the same in every dialect.
 */
export interface Dialect {
  readonly name: 'duckdb' | 'postgres' | 'mysql';
  /**
   * Quotes an identifier of the model. Raises QueryProblem `unsupported` for a name that the database cannot represent.
   */
  quote(identifier: string): string;
  /** Returns the placeholder of the bound value at a position from 1: `$1` or `?`. */
  placeholder(position: number): string;
  /**
   * Writes a bound value with its type (a `timestamp` is ISO text in UTC without a zone, `2024-03-01 00:00:00.000`).
   */
  literal(value: Scalar, type: StorageType): EmittedSql;
  /**
   * Decodes a column of a relation, so that equality, grouping and order are the same in every dialect: texts by code
   * point, `timestamptz` as `timestamp` in UTC. `type` is the storage type; `valueType` returns the type of the result.
   */
  column(of: Sql, type: StorageType): EmittedSql;
  /**
   * Compares a text by the collation of a column, so that its index applies: a superset of the rows with exactly this
   * text. Null if indexes support exact comparisons.
   */
  readonly nativeText: ((text: string) => Sql) | null;
  /** Casts a value; values that cannot be converted become null. */
  cast(of: Arg, to: StorageType): EmittedSql;
  /** Operators and functions; `type` is the type of the result. */
  readonly functions: Readonly<Record<FunctionName, (args: readonly Arg[], type: StorageType) => EmittedSql>>;
  readonly aggregates: Readonly<Record<AggregateName, (args: readonly Arg[], type: StorageType) => EmittedSql>>;
  /** Truncates a time to the start of its period, with the same type. `weekstart`: 1 Monday … 7 Sunday. */
  truncate(of: Arg, level: Level, weekstart: number): EmittedSql;
  /**
   * A faster key for grouping by period, ordered like time, and its conversion to the start of the period; null to
   * group by `truncate`.
   */
  readonly periods: {
    key(of: Arg, level: Level, weekstart: number): EmittedSql;
    start(key: Sql, type: StorageType, level: Level, weekstart: number): EmittedSql;
    /** True if the key differs from `truncate` for this level and type, so that `start` must be applied. */
    differs(level: Level, type: StorageType): boolean;
  } | null;
  /**
   * Converts a time to the number of its quarter of an hour, and back to the start of that quarter. Null if this does
   * not speed up grouping before a zone conversion.
   */
  readonly quarters: { key(of: Sql): Sql; start(key: Sql): Sql } | null;
  /** True if grouping by raw texts is faster than by decoded texts, with the same groups. */
  readonly groupsRawText: boolean;
  shift(of: Arg, level: Level, quantity: number): EmittedSql;
  zone(of: Arg, to: 'local' | 'utc', zone: string): EmittedSql;
  path(of: Sql, separator: string, level: number): EmittedSql;
  bin(of: Arg, low: Sql, high: Sql, bins: number): EmittedSql;
  /** Tests an integer or a text against a list that is one bound value. */
  listed(of: Arg, keys: readonly string[]): EmittedSql;
  /** Returns one sort key, nulls last: `x DESC NULLS LAST`. */
  order(of: Sql, direction: 'asc' | 'desc'): Sql;
  /**
   * How sort keys refer to columns of the select. `name` uses an outer select, for databases where an alias in an
   * expression would refer to a column of the relation.
   */
  readonly sortsBy: 'position' | 'name';
  /**
   * Reserved names, in lower case, that do not refer to a column: relations with such columns are read through a select
   * of their columns only. Null for our own engine, whose relations only have columns.
   */
  readonly reservedNames: ReadonlySet<string> | null;
  /**
   * How to evaluate a test only on rows that pass earlier tests. `offset` puts them in a subquery with `OFFSET 0`,
   * which still streams; `case` puts the test in a CASE branch, which is evaluated only if its condition is true.
   */
  readonly fence: 'offset' | 'case';
  /**
   * Wraps a test of looked-up values to correct the planner's row estimate; null if it needs none. PostgreSQL estimates that hardly any
   * rows pass such a test, joins by nested loops, and rereads all other rows for each.
   */
  readonly lookedUpTest: ((test: Sql) => Sql) | null;
  /** Writes ` LIMIT 10 OFFSET 5`; the planner has checked the numbers. */
  limit(by: number | null, offset: number): string;
  /**
   * Writes the row as JSON text in wire format, in one column; null if the caller formats rows. `values` of a cell are
   * its columns (three for `bin`: index, low, high).
   */
  jsonRow: ((cells: readonly WrittenCell[], locale: string) => Sql) | null;
  /** Writes the row as a line of a file with its line ending, in one column; null if the caller formats lines. */
  line: ((cells: readonly WrittenCell[], lines: Lines) => Sql) | null;
}
