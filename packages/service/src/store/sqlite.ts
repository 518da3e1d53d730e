import { migrate, type Migration } from './migrate.ts';
import { connectSqlite } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { exclusiveSqlite } from './sqlite-migrate.ts';
import { startWriter, type WriterOptions } from './sqlite-thread.ts';
import { sql } from './sql.ts';
import type { Store } from './store.ts';

/** How long a read may wait for another process, on the thread that answers requests. */
const readBusyMs = 250;

export interface SqliteOptions extends WriterOptions {
  readonly migrations: readonly Migration[];
}

/**
 * Opens a store in one file, made for its owner alone when it is missing, after bringing its schema up to date.
 * Reads happen at once on the caller's thread; writes share one thread and flush together. Several processes may share the
 * file. Raises StoreUnavailable, MigrationRefused.
 */
export async function openSqliteStore<Command, Answer>(options: SqliteOptions): Promise<Store<Command, Answer>> {
  const schema = await exclusiveSqlite(options.file);
  try {
    await migrate(schema.exclusively, options.migrations);
    const reader = connectSqlite(options.file, { readOnly: true, busyMs: readBusyMs });
    const writer = await startWriter<Command, Answer>(options).catch((error: unknown) => {
      reader.close();
      throw error;
    });
    return {
      dialect: sqliteDialect,
      rows: async (statement) => reader.rows(statement),
      write: (command) => writer.write(command),
      pending: () => writer.pending(),
      async ping() {
        reader.rows(sql`select 1 as here`);
        await writer.ping();
      },
      async close() {
        reader.close();
        // Last, since only a connection that may write puts the log into the file: a copy of that one file is then whole.
        await writer.close();
      },
    };
  } finally {
    schema.close();
  }
}
