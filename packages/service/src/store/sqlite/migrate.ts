import { setTimeout as pause } from 'node:timers/promises';
import { tableCount } from '../lease.ts';
import type { Exclusively } from '../migrate.ts';
import { connectSqlite, type SqliteConnection } from './connection.ts';
import { StoreUnavailable } from '../store.ts';

const busyMs = 1_000;
const patienceMs = 60_000;
const pauseMs = 50;
/**
 * How long to wait until no other program uses the file. Instances that start together need less time; a program that
 * runs on the file keeps it open for longer.
 */
const alonePatienceMs = 5_000;

const isLocked = (error: unknown): boolean => error instanceof StoreUnavailable && /locked|busy/u.test(error.message);

/** Retries work for a limited time while another process locks the file. */
async function patiently<Result>(work: () => Result): Promise<Result> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isLocked(error) || performance.now() > until) throw error;
      await pause(pauseMs);
    }
  }
}

/** True if the store was created by a program without leases. Such a program may be using the store now. */
const isWithoutLeases = (connection: SqliteConnection): boolean => {
  const count = (table: string): number => Number(connection.rows(tableCount('sqlite', table))[0]?.['n']);
  return count('schema_migration') > 0 && count('schema_lease') === 0;
};

/** Tries to lock the file exclusively until the connection closes. Returns false if any other connection is open. */
function isAlone(connection: SqliteConnection): boolean {
  try {
    connection.keyword('pragma busy_timeout = 0');
    connection.keyword('pragma locking_mode = exclusive');
    connection.keyword('begin exclusive');
    connection.keyword('commit');
    return true;
  } catch (error) {
    if (!isLocked(error)) throw error;
    return false;
  } finally {
    connection.keyword(`pragma busy_timeout = ${busyMs}`);
  }
}

/**
 * Opens a connection for migrations, and finds out if a program without leases uses the file. Instances that start
 * together block each other, so each one closes its connection and retries.
 */
async function openAlone(file: string): Promise<{ connection: SqliteConnection; isUsedWithoutLease: boolean }> {
  const until = performance.now() + alonePatienceMs;
  for (;;) {
    const connection = await patiently(() => connectSqlite(file, { readOnly: false, busyMs }));
    try {
      if (!isWithoutLeases(connection)) return { connection, isUsedWithoutLease: false };
      if (isAlone(connection)) return { connection, isUsedWithoutLease: false };
    } catch (error) {
      connection.close();
      throw error;
    }
    connection.close();
    if (performance.now() > until) {
      const sharedConnection = await patiently(() => connectSqlite(file, { readOnly: false, busyMs }));
      return { connection: sharedConnection, isUsedWithoutLease: true };
    }
    await pause(pauseMs + Math.random() * 4 * pauseMs);
  }
}

/** Opens a connection for migrations of a SQLite file; the caller closes it. */
export async function exclusiveSqlite(file: string): Promise<{ exclusively: Exclusively; close(): void }> {
  const { connection, isUsedWithoutLease } = await openAlone(file);
  // To alter a table, SQLite rebuilds it, which may violate references for a moment. All references are verified before
  // the commit instead.
  connection.keyword('pragma foreign_keys = off');
  const exclusively: Exclusively = async (work) => {
    await patiently(() => connection.keyword('begin immediate'));
    try {
      const result = await work({
        dialect: 'sqlite',
        isUsedWithoutLease: async () => isUsedWithoutLease,
        rows: async (statement) => connection.rows(statement),
        execute: async (statement) => connection.database.exec(statement),
        excludeWriters: async () => undefined,
        verify: async () => {
          const brokenRows = connection.database.prepare('pragma foreign_key_check').all().length;
          if (brokenRows > 0) throw new Error(`the migration leaves ${brokenRows} rows that refer to nothing`);
        },
      });
      connection.keyword('commit');
      return result;
    } catch (error) {
      if (connection.database.isTransaction) connection.keyword('rollback');
      throw error;
    }
  };
  return { exclusively, close: () => connection.close() };
}
