import { migrate, type Migration } from './migrate.ts';
import { connectSqlite, type SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { exclusiveSqlite } from './sqlite-migrate.ts';
import { startWriter, type WriterOptions } from './sqlite-thread.ts';
import { sql, type Value } from './sql.ts';
import type { Row, Store } from './store.ts';

/** How long a read may wait for another process, on the thread that answers requests. */
const readBusyMs = 250;

export interface SqliteOptions extends WriterOptions {
  readonly migrations: readonly Migration[];
}

/**
 * Reads of one turn of the event loop share a snapshot, which saves taking and giving back the file's locks for each, and
 * what is asked by one value alone, as a caller is by their key, is read once. A request that came in after an answer was
 * sent is read in a later turn, so it never sees less than that answer told.
 */
function oneSnapshotATurn(reader: SqliteConnection): { rows: SqliteConnection['rows']; end: () => void } {
  let open = false;
  const read = new Map<Value, { readonly parts: readonly string[]; readonly rows: readonly Row[] }>();
  const end = (): void => {
    if (!open) return;
    open = false;
    read.clear();
    // A statement that failed badly has ended the transaction itself.
    if (reader.database.isTransaction) reader.keyword('commit');
  };
  return {
    rows: (statement) => {
      if (!open) {
        reader.keyword('begin');
        open = true;
        setImmediate(end);
      }
      const { parts, values, lasting } = statement;
      const [value] = values;
      if (lasting !== true || value === undefined || values.length > 1) return reader.rows(statement);
      const known = read.get(value);
      if (known?.parts === parts) return known.rows;
      const rows = reader.rows(statement);
      read.set(value, { parts, rows });
      return rows;
    },
    end,
  };
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
    const reading = oneSnapshotATurn(reader);
    return {
      dialect: sqliteDialect,
      rows: async (statement) => reading.rows(statement),
      // What was just written must be seen by whoever reads on in the same turn.
      write: (command) => writer.write(command).finally(reading.end),
      pending: () => writer.pending(),
      async ping() {
        reader.rows(sql`select 1 as here`);
        await writer.ping();
      },
      async close() {
        reading.end();
        reader.close();
        // Last, since only a connection that may write puts the log into the file: a copy of that one file is then whole.
        await writer.close();
      },
    };
  } finally {
    schema.close();
  }
}
