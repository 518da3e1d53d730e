import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { render, type Sql, type Value } from '../sql.ts';
import { sqliteError } from './errors.ts';
import { addFunctions } from './functions.ts';
import { preparing } from '../statements.ts';
import { StoreUnavailable, type Row } from '../store.ts';

/** One connection to the file; everything on it is synchronous. */
export interface SqliteConnection {
  readonly database: DatabaseSync;
  /** All rows of a statement. Raises StoreUnavailable, StoreConflict. */
  rows(statement: Sql): readonly Row[];
  /** The rows of a statement one after the other. Raises StoreUnavailable, StoreConflict. */
  each(text: string, values: readonly Value[]): Iterable<Row>;
  /** Runs a statement and gives the number of rows it changed. Raises StoreUnavailable, StoreConflict. */
  run(statement: Sql): number;
  /** Does work whose statements may take so many milliseconds. Raises ReadTooLong. */
  within<Result>(how: { readonly ms: number; readonly longestText: number }, work: () => Result): Result;
  /** Runs fixed text of our own that binds nothing. */
  keyword(text: string): void;
  /** Ends a transaction that only read, if there is one. */
  endReading(): void;
  close(): void;
}

const isValue = (value: SQLOutputValue | undefined): boolean =>
  typeof value === 'string' || typeof value === 'number' || value === null;

const isPlain = (row: Record<string, SQLOutputValue>): row is Row => {
  for (const column in row) if (!isValue(row[column])) return false;
  return true;
};

const arePlain = (rows: readonly Record<string, SQLOutputValue>[], known: boolean): rows is Row[] =>
  known || rows.every(isPlain);

/** A prepared statement, and whether what it gives was found to be plain: its columns have one type for good. */
interface PreparedStatement {
  readonly statement: StatementSync;
  plain: boolean;
}

/**
 * Makes the file for its owner alone. One that is there is not opened: closing it would drop every lock this process has on
 * it (sqlite.org, How To Corrupt, 2.2), and the next process to close it would take the log away under those who write.
 */
function makeFile(file: string): void {
  try {
    if (existsSync(file)) accessSync(file, constants.W_OK);
    else closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    throw new StoreUnavailable(`cannot open ${file} for writing`, { cause: error });
  }
}

const commonSettings = ['pragma case_sensitive_like = on'];

/** A flush at each commit, and references that hold. */
const writeSettings = [
  'pragma journal_mode = wal',
  'pragma synchronous = full',
  'pragma foreign_keys = on',
  // 24 MB of log between two moves into the file, six times SQLite's own: what changes often is moved once for many writes.
  'pragma wal_autocheckpoint = 6000',
  ...commonSettings,
];

/**
 * Opens the file, creating it for its owner alone when it is missing and may be written.
 * `busyMs`: how long a statement waits for another process. Raises StoreUnavailable.
 */
export function connectSqlite(file: string, how: { readOnly: boolean; busyMs: number }): SqliteConnection {
  const told = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw sqliteError(error);
    }
  };
  if (!how.readOnly) makeFile(file);
  const database = told(() => new DatabaseSync(file, { readOnly: how.readOnly, timeout: how.busyMs }));
  const prepared = preparing((text): PreparedStatement => ({
    statement: database.prepare(text),
    plain: false,
  }));
  try {
    for (const setting of how.readOnly ? commonSettings : writeSettings) told(() => database.exec(setting));
  } catch (error) {
    database.close();
    throw error;
  }
  const limit = addFunctions(database);
  return {
    database,
    rows(statement) {
      try {
        const kept = prepared(render(statement, 'question'));
        limit.textBytes = 0;
        const rows = kept.statement.all(...statement.values);
        if (!arePlain(rows, kept.plain))
          throw new TypeError('the store holds a value that is neither text, number nor null');
        kept.plain ||= rows.length > 0;
        return rows;
      } catch (error) {
        throw sqliteError(error);
      }
    },
    *each(text, values) {
      try {
        const { statement } = prepared(text);
        limit.textBytes = 0;
        for (const row of statement.iterate(...values)) {
          limit.textBytes = 0;
          if (!isPlain(row)) throw new TypeError('the store holds a value that is neither text, number nor null');
          yield row;
        }
      } catch (error) {
        throw sqliteError(error);
      }
    },
    run(statement) {
      try {
        return Number(prepared(render(statement, 'question')).statement.run(...statement.values).changes);
      } catch (error) {
        throw sqliteError(error);
      }
    },
    within(how, work) {
      limit.endMs = performance.now() + how.ms;
      limit.longestText = how.longestText;
      try {
        return work();
      } finally {
        limit.endMs = Number.POSITIVE_INFINITY;
        limit.longestText = Number.POSITIVE_INFINITY;
      }
    },
    keyword: (text) => {
      told(() => prepared(text).statement.run());
    },
    endReading: () => {
      for (const end of ['commit', 'rollback'])
        try {
          if (database.isTransaction) database.exec(end);
        } catch {
          // A damaged page may refuse even the end of a read. Nothing was written: the next statement says what is wrong.
        }
    },
    close: () => database.close(),
  };
}
