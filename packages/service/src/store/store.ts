import type { Dialect } from './dialect.ts';
import type { Sql, Value } from './sql.ts';

export type Row = Readonly<Record<string, Value>>;

/** Reads that may take long, such as searches. */
export interface LongReads {
  /**
   * Returns the rows of a statement that may scan every record, isolated from other reads. Tenants take turns; has a
   * deadline. Raises ReadTooLong, ReadsBusy, StoreUnavailable.
   */
  rows(statement: Sql, tenant: string): Promise<readonly Row[]>;
  /**
   * Tries the statement immediately for a few milliseconds. Raises ReadTooLong. Null if the store does not support it.
   */
  readonly atOnce: ((statement: Sql) => Promise<readonly Row[]>) | null;
}

/** Several reads from one snapshot: either all of them see a write, or none does. */
export interface Snapshots {
  /**
   * For work that only does short reads. Raises SnapshotLost if a read is long or the work awaits anything else; then
   * use `apart` instead. Raises StoreUnavailable.
   */
  readonly near: <Result>(work: (reader: Reader) => Promise<Result>) => Promise<Result>;
  /**
   * For any work, isolated from other reads. Tenants take turns; reads have a common deadline. Raises ReadTooLong,
   * ReadsBusy, StoreUnavailable.
   */
  readonly apart: <Result>(tenant: string, work: (reader: Reader) => Promise<Result>) => Promise<Result>;
}

/** Anything that can be queried: a store, a snapshot or a transaction. */
export interface Reader {
  readonly dialect: Dialect;
  /** Absent in a transaction. */
  readonly long?: LongReads;
  /** Absent in a transaction and in a snapshot. */
  readonly snapshots?: Snapshots;
  /** Returns all rows of a statement. Raises StoreUnavailable, StoreConflict. */
  rows(statement: Sql): Promise<readonly Row[]>;
}

/** An open transaction. Statements run one after the other; others see no change before the commit. */
export interface Transaction extends Reader {
  /** Runs a statement and returns the number of changed rows. */
  run(statement: Sql): Promise<number>;
}

/** Result of a transaction: commit or roll back, in both cases with an answer. */
export interface Outcome<Answer> {
  readonly commit: boolean;
  readonly answer: Answer;
}

/** Handles a command in a transaction. It may run in another thread, so commands and answers are plain data. */
export type Perform<Command, Answer> = (transaction: Transaction, command: Command) => Promise<Outcome<Answer>>;

export interface Store<Command, Answer> extends Reader {
  /**
   * Runs a command in a transaction; resolves after the commit is on disk, or after the rollback. Raises
   * StoreUnavailable (nothing was written; includes StoreNewer), OutcomeUnknown (the connection broke during the
   * commit), StoreConflict.
   */
  write(command: Command): Promise<Answer>;
  /** Resolves when the store responds; raises StoreUnavailable. For readiness checks. */
  ping(): Promise<void>;
  /** Number of waiting and running writes, for metrics and graceful shutdown. */
  pending(): number;
  /** Completes accepted writes, then closes. */
  close(): Promise<void>;
}

/** The store is unreachable, read-only, or did not answer in time. Nothing was written. */
export class StoreUnavailable extends Error {}

/** The expected wait is too long. Nothing was written. */
export class StoreBusy extends StoreUnavailable {}

/** The disk of the store is full. Nothing was written. */
export class StoreFull extends StoreUnavailable {}

/** The stored data is corrupt: its disk or another program has changed it. */
export class StoreDamaged extends StoreUnavailable {}

/** A newer program has changed the schema so that this one must not write. Nothing was written. */
export class StoreNewer extends StoreUnavailable {}

/** A read exceeded its time limit; the store itself is fine. */
export class ReadTooLong extends Error {}

/** Too many long reads are waiting. */
export class ReadsBusy extends Error {}

/** A shared snapshot is impossible: one read is long, or the snapshot ended between two reads. */
export class SnapshotLost extends Error {}

/** The connection broke after the commit was sent: the write may or may not have succeeded. */
export class OutcomeUnknown extends Error {}

/** A unique constraint refused the write. `columns` are sorted and separated by commas. */
export class StoreConflict extends Error {
  readonly table: string;
  readonly columns: string;
  constructor(table: string, columns: string) {
    super(`already taken: ${table} (${columns})`);
    this.table = table;
    this.columns = columns;
  }
}
