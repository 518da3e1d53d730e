import { performance } from 'node:perf_hooks';
import type { SqliteConnection } from './connection.ts';
import { sql, type Sql, type Value } from '../sql.ts';
import { SnapshotLost, type Row } from '../store.ts';

/** Limits of a long read that is tried on the main thread. */
const shortReadLimits = { ms: 15, longestText: 65_536 } as const;

/** Reads from one snapshot, or from several. */
export interface SnapshotReads {
  /** Returns the rows of a statement. Raises StoreUnavailable. */
  readonly rows: (statement: Sql) => readonly Row[];
  /** Tries for a few milliseconds to read the rows of a statement that may take longer. Raises ReadTooLong. */
  readonly shortRows: (statement: Sql) => readonly Row[];
}

/**
 * A value that changes whenever another connection commits, in this process or another one (sqlite.org, PRAGMA
 * data_version).
 */
const dataVersion = sql`pragma data_version`;

/** Returns the number of the current iteration of the event loop. Node increments it before it polls for input. */
const iteration = (): number => performance.nodeTiming.uvMetricsInfo.loopCount;

interface CachedRows {
  readonly parts: readonly string[];
  readonly values: readonly Value[];
  readonly rows: readonly Row[];
}

/** Maximum number of cached results. */
const maxCached = 1000;

/**
 * Reads on the main thread over a read-only connection. All reads in one iteration of the event loop share a snapshot,
 * so that the file is locked only once. A request that arrives after an answer was sent is read in a later iteration,
 * so it always sees at least the state of that answer. Rows of statements with the hint `cached` are cached until the
 * next commit.
 */
export class Reads implements SnapshotReads {
  readonly #connection: SqliteConnection;
  readonly #cache = new Map<string, CachedRows>();
  /** Data version of the cached rows. */
  #cachedAt: Value | undefined;
  /** True if the data version of this snapshot has been compared with that of the cache. */
  #isCompared = false;
  #isOpen = false;
  /** Iteration of the event loop in which the snapshot began. */
  #begunIn = 0;
  /** Number of snapshots that have begun so far. */
  #begun = 0;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  rows(statement: Sql): readonly Row[] {
    return statement.hints?.cached === true ? this.#cachedRows(statement) : this.#read(statement);
  }

  shortRows(statement: Sql): readonly Row[] {
    return this.#connection.within(shortReadLimits, () => this.#read(statement));
  }

  /**
   * Returns reads that share one snapshot. The snapshot begins with the first read. A read raises SnapshotLost if the
   * snapshot has ended.
   */
  snapshot(): SnapshotReads {
    let ownSnapshot: number | undefined;
    const hold = (): void => {
      this.#begin();
      ownSnapshot ??= this.#begun;
      if (ownSnapshot !== this.#begun)
        throw new SnapshotLost('the snapshot of this iteration of the event loop has ended');
    };
    return {
      rows: (statement) => (hold(), this.rows(statement)),
      shortRows: (statement) => (hold(), this.shortRows(statement)),
    };
  }

  /** Ends the snapshot of this iteration of the event loop, so that later reads see recent writes. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#connection.endReading();
  }

  close(): void {
    this.end();
    this.#connection.close();
  }

  #begin(): void {
    // A snapshot that began after the poll phase ends in the next iteration, when new requests may have arrived.
    if (this.#isOpen && iteration() !== this.#begunIn) this.end();
    if (this.#isOpen) return;
    if (!this.#connection.database.isTransaction) this.#connection.keyword('begin');
    this.#isOpen = true;
    this.#isCompared = false;
    this.#begunIn = iteration();
    this.#begun += 1;
    setImmediate(() => this.end());
  }

  #read(statement: Sql): readonly Row[] {
    this.#begin();
    return this.#connection.rows(statement);
  }

  #cachedRows(statement: Sql): readonly Row[] {
    if (!this.#isOpen || iteration() !== this.#begunIn || !this.#isCompared) this.#dropStale();
    const { parts, values } = statement;
    const key = values.join(' ');
    const cachedEntry = this.#cache.get(key);
    if (cachedEntry?.parts === parts && values.every((value, at) => value === cachedEntry.values[at]))
      return cachedEntry.rows;
    const rows = this.#read(statement);
    this.#cache.set(key, { parts, values, rows });
    return rows;
  }

  /** Drops the cached rows if another connection has committed since they were cached. */
  #dropStale(): void {
    const [row] = this.#read(dataVersion);
    if (this.#isCompared) return;
    const version = row?.['data_version'];
    if (version !== this.#cachedAt || this.#cache.size >= maxCached) this.#cache.clear();
    this.#cachedAt = version;
    this.#isCompared = true;
  }
}
