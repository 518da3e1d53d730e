import type { Holds } from '../declare/kinds.ts';
import type { Sql } from './sql.ts';

/** SQL that differs between the two stores. All other SQL is the same for both. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  readonly placeholder: 'question' | 'dollar';
  /**
   * True for a remote store. It is then faster to assume who the caller is, and to confirm that in the same round trip,
   * than to load the caller first.
   */
  readonly isFar?: true;
  /**
   * Runs work whose result may be needed later. A remote store runs the work as part of the current round trip. A local
   * store skips the work and resolves to `otherwise`.
   */
  readonly ahead: <Result>(work: () => Promise<Result>, otherwise: Result) => Promise<Result>;
  /** The scalar at a path of a JSON text column; null if it is missing or of another kind. Booleans become 0 and 1. */
  readonly member: (column: Sql, path: readonly string[], holds: Holds) => Sql;
  /**
   * JSON text of an object with this id and the listed members of a JSON column, unchanged. Missing members become
   * null.
   */
  readonly picked: (id: Sql, column: Sql, fields: readonly string[]) => Sql;
  /** True if the JSON at a path is present and not null. */
  readonly isSet: (column: Sql, path: readonly string[]) => Sql;
  /** `exists (…)` over the members of the JSON object at a path: true if `test` holds for the text of a member. */
  readonly anyValue: (column: Sql, path: readonly string[], test: (value: Sql) => Sql) => Sql;
  /** Case-sensitive LIKE with `\` as the escape. */
  readonly like: (expression: Sql, pattern: Sql) => Sql;
  /** Case-insensitive LIKE with `\` as the escape. */
  readonly iLike: (expression: Sql, pattern: Sql) => Sql;
  /** The text without case and accents. */
  readonly folded: (expression: Sql) => Sql;
  /**
   * Always true, but aborts a read that exceeds its time limit. `alias` is the scanned table. `readsRecords` is true if
   * the statement parses the table's records, which may be long.
   */
  readonly inTime: (alias: Sql, readsRecords: boolean) => Sql;
  /** Like `inTime`, but checks the time for every row, because a nested search may scan a few rows many times. */
  readonly eachInTime: (alias: Sql) => Sql;
  /** Compares and orders text by code point. The stores order nulls differently: add `nulls first` or `nulls last`. */
  readonly ordered: (expression: Sql) => Sql;
  /** True if the folded text of one of the fields contains the folded fragment, which may have any length. */
  readonly fragment: (table: string, alias: Sql, fields: readonly string[], fragment: string) => Sql;
  /**
   * Like `fragment`, but uses only the text index. It is also true for some rows that do not contain the fragment, so
   * the caller must test each row again.
   */
  readonly candidates: (table: string, alias: Sql, fields: readonly string[], fragment: string) => Sql;
  /** All values of an expression over the rows of a select, separated by commas; null if there are no values. */
  readonly listed: (expression: Sql) => Sql;
  /** Several values as the text of a JSON array. That is cheaper to fetch and compare than separate columns. */
  readonly array: (expressions: Sql) => Sql;
  /**
   * The same value, but the planner cannot use an index on it. For cases in which another condition is more selective.
   */
  readonly unindexed: (expression: Sql) => Sql;
  /** True if a condition is false or null. */
  readonly negated: (condition: Sql) => Sql;
  /** Appended to a select in a transaction: locks the selected rows until the commit. */
  readonly forUpdate: Sql;
  /** Locks the selected rows against changes until the commit. Several transactions may hold this lock. */
  readonly forShare: Sql;
  /** Like `forUpdate`, but skips rows that another transaction has locked. */
  readonly skipLocked: Sql;
}
