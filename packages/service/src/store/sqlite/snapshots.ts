import { SnapshotLost, type Snapshots } from '../store.ts';
import { sqliteDialect } from './dialect.ts';
import type { SqliteReaders } from './reading/readers.ts';
import type { Reads } from './reads.ts';

/** `near` uses the snapshot of this iteration of the event loop. `apart` uses a transaction on a reading thread. */
export const createSnapshots = (reads: Reads, readers: SqliteReaders): Snapshots => ({
  near(work) {
    const { rows, shortRows } = reads.snapshot();
    return work({
      dialect: sqliteDialect,
      long: {
        rows: () => Promise.reject(new SnapshotLost('the read is too long for this thread')),
        atOnce: async (statement) => shortRows(statement),
      },
      rows: async (statement) => rows(statement),
    });
  },
  apart: (tenant, work) => readers.transact(tenant, work),
});
