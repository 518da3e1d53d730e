import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { render, type Sql, type Value } from '../sql.ts';
import { sqliteError } from './errors.ts';
import { addFunctions } from './functions.ts';
import { preparing } from '../statements.ts';
import { StoreUnavailable, type Row } from '../store.ts';

/** A synchronous connection to the file of the store. */
export interface SqliteConnection {
  readonly database: DatabaseSync;
  /** Returns all rows of a statement. Raises StoreUnavailable, StoreConflict. */
  rows(statement: Sql): readonly Row[];
  /** Iterates over the rows of a statement. Raises StoreUnavailable, StoreConflict. */
  each(text: string, values: readonly Value[]): Iterable<Row>;
  /** Runs a statement and returns the number of changed rows. Raises StoreUnavailable, StoreConflict. */
  run(statement: Sql): number;
  /**
   * Limits the total time of the statements of `work` to `ms`, and the length of the texts that they compare. Raises
   * ReadTooLong.
   */
  within<Result>(how: { readonly ms: number; readonly longestText: number }, work: () => Result): Result;
  /** Runs literal SQL without parameters. */
  keyword(text: string): void;
  /** Ends the read transaction if one is open. */
  endReading(): void;
  close(): void;
}

const isValue = (value: SQLOutputValue | undefined): boolean =>
  typeof value === 'string' || typeof value === 'number' || value === null;

const isPlain = (row: Record<string, SQLOutputValue>): row is Row => {
  for (const column in row) if (!isValue(row[column])) return false;
  return true;
};

const arePlain = (rows: readonly Record<string, SQLOutputValue>[], isKnownPlain: boolean): rows is Row[] =>
  isKnownPlain || rows.every(isPlain);

/**
 * A prepared statement. `plain` is true once the statement has returned rows whose values all have a supported type.
 */
interface PreparedStatement {
  readonly statement: StatementSync;
  plain: boolean;
}

/**
 * Creates the file, which only its owner can read. Does not open an existing file: closing it would release all locks
 * of this process on the file (sqlite.org, How To Corrupt, 2.2). The next process to close it would then delete the log
 * of active writers.
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

/** Flushes at each commit, and enforces references. */
const writeSettings = [
  'pragma journal_mode = wal',
  'pragma synchronous = full',
  'pragma foreign_keys = on',
  // Checkpoints at 24 MB of log, six times the default, so that a page that changes often is written to the file less
  // often.
  'pragma wal_autocheckpoint = 6000',
  ...commonSettings,
];

/**
 * Opens the file. If the file is missing and `readOnly` is false, creates the file, which only its owner can read.
 * `busyMs` is how long a statement waits for locks of other processes. Raises StoreUnavailable.
 */
export function connectSqlite(file: string, options: { readOnly: boolean; busyMs: number }): SqliteConnection {
  const withStoreErrors = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw sqliteError(error);
    }
  };
  if (!options.readOnly) makeFile(file);
  const database = withStoreErrors(
    () => new DatabaseSync(file, { readOnly: options.readOnly, timeout: options.busyMs }),
  );
  const prepare = preparing((text): PreparedStatement => ({
    statement: database.prepare(text),
    plain: false,
  }));
  try {
    for (const setting of options.readOnly ? commonSettings : writeSettings)
      withStoreErrors(() => database.exec(setting));
  } catch (error) {
    database.close();
    throw error;
  }
  const limit = addFunctions(database);
  return {
    database,
    rows(statement) {
      try {
        const cachedStatement = prepare(render(statement, 'question'));
        limit.textBytes = 0;
        const rows = cachedStatement.statement.all(...statement.values);
        if (!arePlain(rows, cachedStatement.plain))
          throw new TypeError('the store holds a value that is neither text, number nor null');
        cachedStatement.plain ||= rows.length > 0;
        return rows;
      } catch (error) {
        throw sqliteError(error);
      }
    },
    *each(text, values) {
      try {
        const { statement } = prepare(text);
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
        return Number(prepare(render(statement, 'question')).statement.run(...statement.values).changes);
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
      withStoreErrors(() => prepare(text).statement.run());
    },
    endReading: () => {
      for (const end of ['commit', 'rollback'])
        try {
          if (database.isTransaction) database.exec(end);
        } catch {
          // Because of a damaged page, even ending a read may fail. Nothing was written, and the next statement reports
          // the damage.
        }
    },
    close: () => database.close(),
  };
}
