import type { Dialect } from './dialect.ts';
import type { Sql, Value } from './sql.ts';

export type Row = Readonly<Record<string, Value>>;

/** Reads that may take long, such as searches. */
export interface LongReads {
  /**
   * Rows of a statement that may look at every record, for one tenant at a time in turns, away from whatever answers others;
   * over by a deadline. Raises ReadTooLong, ReadsBusy, StoreUnavailable.
   */
  rows(statement: Sql, tenant: string): Promise<readonly Row[]>;
  /** The same at once where it is over in a few milliseconds. Raises ReadTooLong; null where that cannot be tried. */
  readonly atOnce: ((statement: Sql) => Promise<readonly Row[]>) | null;
}

/** Several reads from one snapshot: either all of them see a write, or none does. */
export interface Snapshots {
  /**
   * For work that does nothing but short reads; the reads of its reader share a snapshot. Raises SnapshotLost where a read is
   * long or the work waits for something else: nothing was done then, and the work belongs apart. Raises StoreUnavailable.
   */
  readonly near: <Result>(work: (reader: Reader) => Promise<Result>) => Promise<Result>;
  /**
   * For any work, for one tenant at a time in turns, away from whatever answers others; its reads are over by a deadline.
   * Raises ReadTooLong, ReadsBusy, StoreUnavailable.
   */
  readonly apart: <Result>(tenant: string, work: (reader: Reader) => Promise<Result>) => Promise<Result>;
}

/** Anything that can be asked for rows: a store, a snapshot or a transaction of it. */
export interface Reader {
  readonly dialect: Dialect;
  /** Not in a transaction. */
  readonly long?: LongReads;
  /** Not in a transaction or a snapshot. */
  readonly snapshots?: Snapshots;
  /** All rows of a statement. Raises StoreUnavailable, StoreConflict. */
  rows(statement: Sql): Promise<readonly Row[]>;
}

/** One open transaction. Statements run one after the other; nothing is seen by others before the commit. */
export interface Transaction extends Reader {
  /** Runs a statement for its effect and gives the number of rows it changed. */
  run(statement: Sql): Promise<number>;
}

/** What a piece of work says at its end: keep what it wrote, or undo it. Both carry an answer. */
export interface Outcome<Answer> {
  readonly commit: boolean;
  readonly answer: Answer;
}

/** Work done inside one transaction. It may run in another thread, so commands and answers are plain data. */
export type Perform<Command, Answer> = (transaction: Transaction, command: Command) => Promise<Outcome<Answer>>;

export interface Store<Command, Answer> extends Reader {
  /**
   * Runs one command in one transaction; resolves once the commit is on disk (or the undo is done).
   * Raises StoreUnavailable (nothing was written; StoreNewer among them), OutcomeUnknown (the link broke during the commit), StoreConflict.
   */
  write(command: Command): Promise<Answer>;
  /** Resolves when the store answers; raises StoreUnavailable. For readiness. */
  ping(): Promise<void>;
  /** Writes waiting or running now, for metrics and for a graceful stop. */
  pending(): number;
  /** Finishes the writes already taken, then closes. */
  close(): Promise<void>;
}

/** The store cannot be reached, is read-only, or did not answer in time. Nothing was written. */
export class StoreUnavailable extends Error {}

/** So many wait for the store that another one would wait too long. Nothing was written. */
export class StoreBusy extends StoreUnavailable {}

/** The store has no room on its disk. Nothing was written. */
export class StoreFull extends StoreUnavailable {}

/** The store holds something else than what was written: its disk, or somebody beside it, has changed it. */
export class StoreDamaged extends StoreUnavailable {}

/** A newer program has changed the schema so that this one must not write. Nothing was written. */
export class StoreNewer extends StoreUnavailable {}

/** A read took longer than it may. Nothing is wrong with the store. */
export class ReadTooLong extends Error {}

/** So many long reads wait that another one is refused. */
export class ReadsBusy extends Error {}

/** Reads that were to share a snapshot cannot: one is long, or the snapshot has ended between two of them. */
export class SnapshotLost extends Error {}

/** The link broke after the commit was sent: the write may or may not stand. */
export class OutcomeUnknown extends Error {}

/** A unique rule of the schema refused the write. `columns` are sorted and joined by a comma. */
export class StoreConflict extends Error {
  readonly table: string;
  readonly columns: string;
  constructor(table: string, columns: string) {
    super(`already taken: ${table} (${columns})`);
    this.table = table;
    this.columns = columns;
  }
}
