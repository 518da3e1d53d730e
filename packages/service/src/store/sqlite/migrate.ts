import { setTimeout as pause } from 'node:timers/promises';
import { tableCount } from '../lease.ts';
import type { Exclusively } from '../migrate.ts';
import { connectSqlite, type SqliteConnection } from './connection.ts';
import { StoreUnavailable } from '../store.ts';

const busyMs = 1_000;
const patienceMs = 60_000;
const pauseMs = 50;
/** Instances that start together take turns for less; a program that runs on the file does not end within it. */
const alonePatienceMs = 5_000;

const isLocked = (error: unknown): boolean => error instanceof StoreUnavailable && /locked|busy/u.test(error.message);

/** Repeats work while another process holds the file, for a bounded time. */
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

/** Whether a store that was made by a program without leases may be used by one now. */
const isWithoutLeases = (connection: SqliteConnection): boolean => {
  const count = (table: string): number => Number(connection.rows(tableCount('sqlite', table))[0]?.['n']);
  return count('schema_migration') > 0 && count('schema_lease') === 0;
};

/** Gets the file for this connection alone, which no other one may have open; it stays so until the connection closes. */
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
 * A connection for migrations, and whether a program without leases uses the file. Instances that start together find each
 * other's connections: each closes its own and tries again.
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
      const shared = await patiently(() => connectSqlite(file, { readOnly: false, busyMs }));
      return { connection: shared, isUsedWithoutLease: true };
    }
    await pause(pauseMs + Math.random() * 4 * pauseMs);
  }
}

/** The exclusive transaction of migrations on a SQLite file, with the connection to close at the end. */
export async function exclusiveSqlite(file: string): Promise<{ exclusively: Exclusively; close(): void }> {
  const { connection, isUsedWithoutLease } = await openAlone(file);
  // SQLite rebuilds tables to alter them; references are checked as a whole before the commit instead.
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
          const broken = connection.database.prepare('pragma foreign_key_check').all().length;
          if (broken > 0) throw new Error(`the migration leaves ${broken} rows that refer to nothing`);
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
