import { setTimeout as pause } from 'node:timers/promises';
import type { Exclusively } from '../migrate.ts';
import { connectSqlite, type SqliteConnection } from './connection.ts';
import { StoreUnavailable } from '../store.ts';

const busyMs = 1_000;
const patienceMs = 60_000;
const pauseMs = 50;

/** Repeats work while another process holds the file, for a bounded time. */
async function patiently<Result>(work: () => Result): Promise<Result> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || !/locked|busy/u.test(error.message) || performance.now() > until)
        throw error;
      await pause(pauseMs);
    }
  }
}

/** The exclusive transaction of migrations on a SQLite file, with the connection to close at the end. */
export async function exclusiveSqlite(file: string): Promise<{ exclusively: Exclusively; close(): void }> {
  const connection: SqliteConnection = await patiently(() => connectSqlite(file, { readOnly: false, busyMs }));
  // SQLite rebuilds tables to alter them; references are checked as a whole before the commit instead.
  connection.keyword('pragma foreign_keys = off');
  const exclusively: Exclusively = async (work) => {
    await patiently(() => connection.keyword('begin immediate'));
    try {
      const result = await work({
        dialect: 'sqlite',
        rows: async (statement) => connection.rows(statement),
        execute: async (statement) => connection.database.exec(statement),
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
