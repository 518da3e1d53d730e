import { migrate, type MigrationOptions, type Migration } from '../migrate.ts';
import { connectSqlite } from './connection.ts';
import { sqliteDialect } from './dialect.ts';
import { exclusiveSqlite } from './migrate.ts';
import { createSqliteReaders } from './reading/readers.ts';
import { Reads } from './reads.ts';
import { createSnapshots } from './snapshots.ts';
import { startWriter, type WriterOptions } from './thread.ts';
import { sql } from '../sql.ts';
import type { Store } from '../store.ts';

/** Maximum time in ms that a read waits for locks of other processes. The main thread is blocked for that time. */
const readBusyMs = 250;

export interface SqliteOptions extends Omit<WriterOptions, 'schema'> {
  readonly migrations: readonly Migration[];
  readonly migrating?: MigrationOptions;
  /** Time limit of a search, in ms; default 10,000. */
  readonly longReadMs?: number;
}

async function bringUpToDate({ file, migrations, migrating }: SqliteOptions): Promise<void> {
  const schema = await exclusiveSqlite(file);
  try {
    await migrate(schema.exclusively, migrations, migrating);
  } finally {
    schema.close();
  }
}

/**
 * Opens a store in a file after migrating its schema. Creates the file if it is missing; only its owner can read it.
 * Reads are synchronous, on the thread of the caller. Writes run on a writer thread, where waiting writes share a flush
 * (group commit). Several processes may share the file. Raises StoreUnavailable, MigrationRefused.
 */
export async function openSqliteStore<Command, Answer>(options: SqliteOptions): Promise<Store<Command, Answer>> {
  await bringUpToDate(options);
  const reads = new Reads(connectSqlite(options.file, { readOnly: true, busyMs: readBusyMs }));
  const writer = await startWriter<Command, Answer>({ ...options, schema: options.migrations.length }).catch(
    (error: unknown) => {
      reads.close();
      throw error;
    },
  );
  const readers = createSqliteReaders({
    file: options.file,
    threads: 2,
    deadlineMs: options.longReadMs ?? 10_000,
    waiting: 100,
  });
  return {
    dialect: sqliteDialect,
    long: {
      rows: (statement, tenant) => readers.rows(statement, tenant),
      atOnce: async (statement) => reads.shortRows(statement),
    },
    snapshots: createSnapshots(reads, readers),
    rows: async (statement) => reads.rows(statement),
    // Ends the snapshot, so that later reads in the same iteration of the event loop see the write.
    write: (command) => writer.write(command).finally(() => reads.end()),
    pending: () => writer.pending(),
    async ping() {
      reads.rows(sql`select 1 as here`);
      await writer.ping();
    },
    async close() {
      await readers.close();
      reads.close();
      // The writer closes last. Only a writable connection can checkpoint the log, and after that the file alone is
      // complete.
      await writer.close();
    },
  };
}
