import type { Holds } from '../declare/kinds.ts';
import type { Sql } from './sql.ts';

/** What differs between the two stores; everything else is the same text for both. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  readonly placeholder: 'question' | 'dollar';
  /** The store is remote: presuming a caller and confirming it on the way takes less time than asking first. */
  readonly isFar?: true;
  /** Runs work whose result may be needed later: a remote store does it in the current round trip, a local one resolves to `otherwise`. */
  readonly ahead: <Result>(work: () => Promise<Result>, otherwise: Result) => Promise<Result>;
  /** The scalar at a path of a JSON text column; null where it is missing or of another kind. Booleans come out as 0 and 1. */
  readonly member: (column: Sql, path: readonly string[], holds: Holds) => Sql;
  /** The text of an object with this id and these members of a JSON text column, word for word; null for each that is not there. */
  readonly picked: (id: Sql, column: Sql, fields: readonly string[]) => Sql;
  /** Whether the JSON at a path is there and not null, whatever it is. */
  readonly isSet: (column: Sql, path: readonly string[]) => Sql;
  /** `exists (…)` over the texts in the JSON object at a path; `test` gets each of them. */
  readonly anyValue: (column: Sql, path: readonly string[], test: (value: Sql) => Sql) => Sql;
  /** Case-sensitive LIKE with `\` as the escape. */
  readonly like: (expression: Sql, pattern: Sql) => Sql;
  /** Case-insensitive LIKE with `\` as the escape. */
  readonly iLike: (expression: Sql, pattern: Sql) => Sql;
  /** A text without case and accents. */
  readonly folded: (expression: Sql) => Sql;
  /** Always true, but ends a read that runs past its limit; for the rows of a table under an alias, and whether their records are read, which may be long. */
  readonly inTime: (alias: Sql, readsRecords: boolean) => Sql;
  /** The same, looked at for each row: of a nested search the rows looked at may be any few of a table, again and again. */
  readonly eachInTime: (alias: Sql) => Sql;
  /** Compares and orders text by code point. What is null comes first or last by store: say `nulls first` or `nulls last`. */
  readonly ordered: (expression: Sql) => Sql;
  /** Whether a row of a table under an alias has the folded fragment, of any length, in the text column of one of the fields. */
  readonly fragment: (table: string, alias: Sql, fields: readonly string[], fragment: string) => Sql;
  /** The same by the text index alone, for a condition that tests each row again: true of every such row and of some others. */
  readonly candidates: (table: string, alias: Sql, fields: readonly string[], fragment: string) => Sql;
  /** All values of an expression over the rows of a select, as one text with commas between; null where there are none. */
  readonly listed: (expression: Sql) => Sql;
  /** Several values as the text of one JSON array: one short text to take out and compare instead of many. */
  readonly array: (expressions: Sql) => Sql;
  /** The same value, by which no index is chosen: for a search that another condition narrows far more. */
  readonly unindexed: (expression: Sql) => Sql;
  /** True where a condition is false or null. */
  readonly negated: (condition: Sql) => Sql;
  /** Appended to a select inside a transaction so that the rows stay ours until the commit. */
  readonly forUpdate: Sql;
  /** The same, but others may hold the rows in this way too; nobody changes them before the commit. */
  readonly forShare: Sql;
  /** As `forUpdate`, without the rows that another transaction has locked. */
  readonly skipLocked: Sql;
}
