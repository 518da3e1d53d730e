import type { Dialect } from './dialect.ts';
import type { Sql, Value } from './sql.ts';

export type Row = Readonly<Record<string, Value>>;

/** Reads that may take long, such as searches. */
export interface LongReads {
  /**
   * Returns the rows of a statement that may scan every record. Such a statement does not delay other reads, and it has
   * a deadline. Tenants take turns. Raises ReadTooLong, ReadsBusy, StoreUnavailable.
   */
  rows(statement: Sql, tenant: string): Promise<readonly Row[]>;
  /** Tries the statement immediately, for a few milliseconds. Raises ReadTooLong. Null if the store cannot do this. */
  readonly atOnce: ((statement: Sql) => Promise<readonly Row[]>) | null;
}

/** Several reads from one snapshot: either all of them see a write, or none of them does. */
export interface Snapshots {
  /**
   * For work that does only short reads, one after the other. Raises SnapshotLost if a read is long or if the work
   * awaits anything else; use `apart` then. Raises StoreUnavailable.
   */
  readonly near: <Result>(work: (reader: Reader) => Promise<Result>) => Promise<Result>;
  /**
   * For any work. Its reads do not delay other reads, and they have a common deadline. Tenants take turns. Raises
   * ReadTooLong, ReadsBusy, StoreUnavailable.
   */
  readonly apart: <Result>(tenant: string, work: (reader: Reader) => Promise<Result>) => Promise<Result>;
}

/** Anything that can be queried: a store, a snapshot or a transaction. */
export interface Reader {
  readonly dialect: Dialect;
  /** Missing in a transaction. */
  readonly long?: LongReads;
  /** Missing in a transaction and in a snapshot. */
  readonly snapshots?: Snapshots;
  /** Returns all rows of a statement. Raises StoreUnavailable, StoreConflict. */
  rows(statement: Sql): Promise<readonly Row[]>;
}

/** An open transaction. Its statements run one after the other. Nobody else sees its changes before the commit. */
export interface Transaction extends Reader {
  /** Runs a statement and returns the number of changed rows. */
  run(statement: Sql): Promise<number>;
}

/** How a transaction ends: with a commit, or with a rollback if `commit` is false. Both have an answer. */
export interface Outcome<Answer> {
  readonly commit: boolean;
  readonly answer: Answer;
}

/**
 * Handles a command in a transaction. The function may run in another thread, so commands and answers are plain data.
 */
export type Perform<Command, Answer> = (transaction: Transaction, command: Command) => Promise<Outcome<Answer>>;

export interface Store<Command, Answer> extends Reader {
  /**
   * Runs a command in a transaction. Resolves when the commit is on disk, or after the rollback. Raises
   * StoreUnavailable or its subclasses (nothing was written), OutcomeUnknown (the connection broke during the commit),
   * and StoreConflict.
   */
  write(command: Command): Promise<Answer>;
  /** Resolves if the store responds; otherwise raises StoreUnavailable. For readiness checks. */
  ping(): Promise<void>;
  /** Number of waiting and running writes, for metrics and graceful shutdown. */
  pending(): number;
  /** Waits for the accepted writes, then closes the store. */
  close(): Promise<void>;
}

/** The store is unreachable, read-only, or did not answer in time. Nothing was written. */
export class StoreUnavailable extends Error {}

/** The expected wait for the store is too long. Nothing was written. */
export class StoreBusy extends StoreUnavailable {}

/** The disk of the store is full. Nothing was written. */
export class StoreFull extends StoreUnavailable {}

/** The stored data is corrupt: the disk or another program has changed it. */
export class StoreDamaged extends StoreUnavailable {}

/** A newer program has changed the schema, so that this program must not write any more. Nothing was written. */
export class StoreNewer extends StoreUnavailable {}

/** A read exceeded its time limit. The store itself works. */
export class ReadTooLong extends Error {}

/** Too many long reads are waiting already. */
export class ReadsBusy extends Error {}

/** The reads cannot share a snapshot: a read takes too long, or the snapshot ended between two reads. */
export class SnapshotLost extends Error {}

/** The connection broke after the commit was sent, so it is unknown whether the write succeeded. */
export class OutcomeUnknown extends Error {}

/** A unique constraint refused the write. `columns` are the column names, sorted and separated by commas. */
export class StoreConflict extends Error {
  readonly table: string;
  readonly columns: string;
  constructor(table: string, columns: string) {
    super(`already taken: ${table} (${columns})`);
    this.table = table;
    this.columns = columns;
  }
}
