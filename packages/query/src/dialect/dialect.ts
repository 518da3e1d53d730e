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
  /** An identifier of the model, quoted; one with NUL is refused (throws QueryProblem `unsupported`). */
  quote(identifier: string): string;
  /** The placeholder of the bound value at a position from 1: `$1` or `?`. */
  placeholder(position: number): string;
  /** A bound value as its type (a `timestamp` is ISO text in UTC without zone mark, `2024-03-01 00:00:00.000`). */
  literal(value: Scalar, type: StorageType): EmittedSql;
  /**
   * Decodes a column of a relation, so that equality, grouping and order are the same in every dialect: texts by code
   * point, `timestamptz` as `timestamp` in UTC. `type` is the storage type; `valueType` gives the type of the result.
   */
  column(of: Sql, type: StorageType): EmittedSql;
  /**
   * A text compared by the rules of a column, so that its index applies: rows with exactly this text are
   * among the equal ones. Null if indexes serve exact comparisons.
   */
  readonly nativeText: ((text: string) => Sql) | null;
  /** Values that cannot be converted become null. */
  cast(of: Arg, to: StorageType): EmittedSql;
  /** Operators and functions; `type` is the type of the result. */
  readonly functions: Readonly<Record<FunctionName, (args: readonly Arg[], type: StorageType) => EmittedSql>>;
  readonly aggregates: Readonly<Record<AggregateName, (args: readonly Arg[], type: StorageType) => EmittedSql>>;
  /** The start of the period: same type in and out. `weekstart`: 1 Monday … 7 Sunday. */
  truncate(of: Arg, level: Level, weekstart: number): EmittedSql;
  /** A faster key for grouping by period, in order of time, and back to its start; null to group by `truncate`. */
  readonly periods: {
    key(of: Arg, level: Level, weekstart: number): EmittedSql;
    start(key: Sql, type: StorageType, level: Level, weekstart: number): EmittedSql;
    /** Whether the key differs from `truncate` for this level and type, so that `start` must be applied. */
    differs(level: Level, type: StorageType): boolean;
  } | null;
  /** A whole number per quarter of an hour and back to its start, if grouping by it before converting to a zone is faster. */
  readonly quarters: { key(of: Sql): Sql; start(key: Sql): Sql } | null;
  /** Grouping by raw texts is faster than by decoded ones and gives the same groups. */
  readonly groupsTextAsKept: boolean;
  shift(of: Arg, level: Level, quantity: number): EmittedSql;
  zone(of: Arg, to: 'local' | 'utc', zone: string): EmittedSql;
  path(of: Sql, separator: string, level: number): EmittedSql;
  bin(of: Arg, low: Sql, high: Sql, bins: number): EmittedSql;
  /** Tests an integer or a text against a list that is one bound value. */
  listed(of: Arg, keys: readonly string[]): EmittedSql;
  /** One sort key, nulls last: `x DESC NULLS LAST`. */
  order(of: Sql, direction: 'asc' | 'desc'): Sql;
  /**
   * How a sort key names a column of the select. `name`: in an outer select, for databases in which a key is an expression and an alias
   * in it means a column of the relation first.
   */
  readonly sortsBy: 'position' | 'name';
  /**
   * Reserved names, in lower case, that mean more than columns of a relation: relations are read through a
   * select of their columns only. Null for our own engine, whose relations have only their columns.
   */
  readonly besideColumns: ReadonlySet<string> | null;
  /**
   * The way to evaluate a test only on rows that pass the tests before it. `offset`: in a select around a subquery with `OFFSET 0`,
   * which still streams; `case`: in a branch of CASE, which is evaluated only if its condition is true.
   */
  readonly fence: 'offset' | 'case';
  /**
   * Wraps a test of looked-up values to correct the planner's row estimate; null if it needs none. PostgreSQL estimates that hardly any
   * rows pass such a test, joins by nested loops, and rereads all other rows for each.
   */
  readonly lookedUpTest: ((test: Sql) => Sql) | null;
  /** ` LIMIT 10 OFFSET 5`; the planner has checked the numbers. */
  limit(by: number | null, offset: number): string;
  /**
   * The row as JSON text in wire format, one column; null if rows are shaped by the caller. `values` of a cell are its
   * columns (three for `bin`: index, low, high).
   */
  jsonRow: ((cells: readonly WrittenCell[], locale: string) => Sql) | null;
  /** The row as a line of a file with line end, one column; null if lines are written by the caller. */
  line: ((cells: readonly WrittenCell[], lines: Lines) => Sql) | null;
}
