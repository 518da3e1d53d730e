import type { Level } from '../expression.ts';
import type { StorageType } from '../model.ts';
import type { Scalar } from '../query.ts';
import type { Cell } from '../cell.ts';
import type { Lines } from '../lines.ts';
import type { Sql } from '../sql.ts';
import type { AggregateName, FunctionName } from './functions.ts';

/** What a dialect cannot do exactly, and why: a clear problem at plan time, or the reason to finish in DuckDB. */
export interface UnsupportedFeature {
  readonly unsupported: string;
}
export const unsupported = (why: string): UnsupportedFeature => ({ unsupported: why });

/** A piece of a statement, or why there is none. */
export type EmittedSql = Sql | UnsupportedFeature;

/** An argument already written, with the type of its value. */
export interface Arg {
  readonly sql: Sql;
  readonly type: StorageType;
}

/** A cell of the answer and the columns it is made of; a member is text. */
export interface WrittenCell {
  readonly cell: Cell;
  readonly values: readonly Arg[];
}

/**
 * How one kind of database writes what plans say. A value listing only what differs; no state, no I/O. Times are
 * `timestamp`: wall clock without zone, UTC unless said otherwise. Every member gives the same meaning in every dialect.
 */
export interface Dialect {
  readonly name: 'duckdb' | 'postgres' | 'mysql';
  /** An identifier of the model, quoted; one with NUL is refused (throws QueryProblem `unsupported`). */
  quote(identifier: string): string;
  /** The mark of the bound value at a position from 1: `$1`, or `?`. */
  placeholder(position: number): string;
  /** A bound value as its type (a `timestamp` is ISO text in UTC without zone mark, `2024-03-01 00:00:00.000`). */
  literal(value: Scalar, type: StorageType): EmittedSql;
  /**
   * A column as it comes from its relation, so that equality, grouping and order are the same everywhere: texts by code
   * point, `timestamptz` as `timestamp` in UTC. `type` is how it is kept; see `valueType` for the type after.
   */
  column(of: Sql, type: StorageType): EmittedSql;
  /**
   * A text that is compared with a column by the rules of that column, whose index can serve it: rows with exactly this text are
   * among those that are equal to it. Null where an index serves exact comparisons.
   */
  readonly nativeText: ((text: string) => Sql) | null;
  /** What a value that cannot be read as the type becomes: null. */
  cast(of: Arg, to: StorageType): EmittedSql;
  /** Operators and functions; `type` is the type of the result. */
  readonly functions: Readonly<Record<FunctionName, (args: readonly Arg[], type: StorageType) => EmittedSql>>;
  readonly aggregates: Readonly<Record<AggregateName, (args: readonly Arg[], type: StorageType) => EmittedSql>>;
  /** The start of the period: same type in and out. `weekstart`: 1 Monday … 7 Sunday. */
  truncate(of: Arg, level: Level, weekstart: number): EmittedSql;
  /** A faster key to group periods by, in the order of time, and its start again; null: group by `truncate`. */
  readonly periods: {
    key(of: Arg, level: Level, weekstart: number): EmittedSql;
    start(key: Sql, type: StorageType, level: Level, weekstart: number): EmittedSql;
    /** Whether the key differs from `truncate` for this level and type, so that `start` must be applied. */
    differs(level: Level, type: StorageType): boolean;
  } | null;
  /** A whole number for each quarter of an hour, where grouping by it before converting to a zone pays, and its start. */
  readonly quarters: { key(of: Sql): Sql; start(key: Sql): Sql } | null;
  /** Whether texts are grouped as they are kept, faster than as read and into the same groups. */
  readonly groupsTextAsKept: boolean;
  shift(of: Arg, level: Level, quantity: number): EmittedSql;
  zone(of: Arg, to: 'local' | 'utc', zone: string): EmittedSql;
  path(of: Sql, separator: string, level: number): EmittedSql;
  bin(of: Arg, low: Sql, high: Sql, bins: number): EmittedSql;
  /** Whether an integer or a text is among many, which are one bound value. */
  listed(of: Arg, keys: readonly string[]): EmittedSql;
  /** One sort key, nulls last: `x DESC NULLS LAST`. */
  order(of: Sql, direction: 'asc' | 'desc'): Sql;
  /**
   * How a sort key names a column of the select. `name`: in a select around it, where a key is an expression and an alias
   * in one would mean a column of the relation by that name first.
   */
  readonly sortsBy: 'position' | 'name';
  /**
   * Names that mean more than columns of a relation, in lower case, which no query may say: a relation is read through a
   * select of its columns alone. Null: our own engine, where a relation has the columns that it was given.
   */
  readonly besideColumns: ReadonlySet<string> | null;
  /**
   * How tests are kept from rows that others drop. `offset`: in a select around one with `OFFSET 0`, which is no bound for
   * the rows that stream through it; `case`: in the branch of a CASE, which is read only where its test holds.
   */
  readonly fence: 'offset' | 'case';
  /**
   * A test of what a lookup found, so that its rows are not guessed too few. Null: they are not. PostgreSQL guesses that hardly a
   * row passes such a test, joins by nested loops, and reads all other rows again for each that does.
   */
  readonly lookedUpTest: ((test: Sql) => Sql) | null;
  /** ` LIMIT 10 OFFSET 5`; whole numbers checked by the planner. */
  limit(by: number | null, offset: number): string;
  /**
   * The whole row as JSON text in wire shape, one column; null: rows are shaped outside. `values` of a cell are the
   * columns it is made of (`bin` has three: number, low, high).
   */
  jsonRow: ((cells: readonly WrittenCell[], locale: string) => Sql) | null;
  /** The whole row as a line of a file, its end included, one column; null: lines are made outside. */
  line: ((cells: readonly WrittenCell[], lines: Lines) => Sql) | null;
}
