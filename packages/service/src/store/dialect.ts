import type { Holds } from '../declare/kinds.ts';
import type { Sql } from './sql.ts';

/** SQL that differs between the two stores; all other SQL is common. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  readonly placeholder: 'question' | 'dollar';
  /**
   * True for a remote store: presuming a caller and confirming it in the same round trip is faster than loading it
   * first.
   */
  readonly isFar?: true;
  /**
   * Runs work whose result may be needed later: a remote store includes it in the current round trip; a local store
   * resolves to `otherwise`.
   */
  readonly ahead: <Result>(work: () => Promise<Result>, otherwise: Result) => Promise<Result>;
  /** Scalar at a path of a JSON text column; null if absent or of another kind. Booleans become 0 and 1. */
  readonly member: (column: Sql, path: readonly string[], holds: Holds) => Sql;
  /** JSON text of an object with this id and these members of a JSON column, verbatim; null for absent members. */
  readonly picked: (id: Sql, column: Sql, fields: readonly string[]) => Sql;
  /** True if the JSON at a path is present and not null. */
  readonly isSet: (column: Sql, path: readonly string[]) => Sql;
  /** `exists (…)` over the strings of the JSON object at a path; `test` receives each of them. */
  readonly anyValue: (column: Sql, path: readonly string[], test: (value: Sql) => Sql) => Sql;
  /** Case-sensitive LIKE with `\` as the escape. */
  readonly like: (expression: Sql, pattern: Sql) => Sql;
  /** Case-insensitive LIKE with `\` as the escape. */
  readonly iLike: (expression: Sql, pattern: Sql) => Sql;
  /** Text without case and accents. */
  readonly folded: (expression: Sql) => Sql;
  /**
   * Always true, but aborts a read past its time limit. `alias` is the scanned table; `readsRecords` is true if its
   * records, which may be long, are parsed.
   */
  readonly inTime: (alias: Sql, readsRecords: boolean) => Sql;
  /** Like `inTime`, but evaluated for every row, because a nested search may scan a few rows many times. */
  readonly eachInTime: (alias: Sql) => Sql;
  /**
   * Compares and orders text by code point. Stores differ in where they put nulls: add `nulls first` or `nulls last`.
   */
  readonly ordered: (expression: Sql) => Sql;
  /** True if the text column of one of the fields contains the folded fragment, of any length. */
  readonly fragment: (table: string, alias: Sql, fields: readonly string[], fragment: string) => Sql;
  /** Like `fragment`, but uses only the text index and has false positives: the caller must test each row again. */
  readonly candidates: (table: string, alias: Sql, fields: readonly string[], fragment: string) => Sql;
  /** All values of an expression over the rows of a select, separated by commas; null if there are none. */
  readonly listed: (expression: Sql) => Sql;
  /** Several values as the text of a JSON array, which is cheaper to fetch and compare than separate columns. */
  readonly array: (expressions: Sql) => Sql;
  /** The same value, but prevents use of an index, because another condition is more selective. */
  readonly unindexed: (expression: Sql) => Sql;
  /** True if a condition is false or null. */
  readonly negated: (condition: Sql) => Sql;
  /** Appended to a select in a transaction to lock its rows until the commit. */
  readonly forUpdate: Sql;
  /** Locks rows against changes until the commit; other transactions may hold the same lock. */
  readonly forShare: Sql;
  /** Like `forUpdate`, but skips rows locked by another transaction. */
  readonly skipLocked: Sql;
}
