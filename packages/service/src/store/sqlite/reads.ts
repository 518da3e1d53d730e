import { performance } from 'node:perf_hooks';
import type { SqliteConnection } from './connection.ts';
import { sql, type Sql, type Value } from '../sql.ts';
import { SnapshotLost, type Row } from '../store.ts';

/** What a read that may take long gets of the thread that answers requests. */
const short = { ms: 15, longestText: 65_536 } as const;

/** Reads of one snapshot or of several. */
export interface SnapshotReads {
  /** Raises StoreUnavailable. */
  readonly rows: (statement: Sql) => readonly Row[];
  /** The same for a statement that may take long: a few milliseconds here. Raises ReadTooLong. */
  readonly shortRows: (statement: Sql) => readonly Row[];
}

/** Another number whenever another connection, here or in another process, has committed (sqlite.org, PRAGMA data_version). */
const dataVersion = sql`pragma data_version`;

/** The iteration of the event loop: counted when it looks for what came in. */
const iteration = (): number => performance.nodeTiming.uvMetricsInfo.loopCount;

interface CachedRows {
  readonly parts: readonly string[];
  readonly values: readonly Value[];
  readonly rows: readonly Row[];
}

/** Answers to statements with the hint `cached` that are cached. */
const mostCached = 1000;

/**
 * Reads on the thread that answers requests, on a read-only connection. Reads of one iteration of the event loop share a snapshot, which
 * saves taking and releasing the file's locks for each. A request that came in after an answer was sent is read in a later iteration, so
 * it never sees less than that answer told. Rows of statements with the hint `cached` are cached until the next commit.
 */
export class Reads implements SnapshotReads {
  readonly #connection: SqliteConnection;
  readonly #cache = new Map<string, CachedRows>();
  /** The data version at which the cached rows were read. */
  #cachedAt: Value | undefined;
  /** Whether this snapshot has compared its data version with that of the cache. */
  #isCompared = false;
  #isOpen = false;
  /** The iteration in which the snapshot was begun. */
  #begunIn = 0;
  /** Number of snapshots so far. */
  #begun = 0;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  rows(statement: Sql): readonly Row[] {
    return statement.hints?.cached === true ? this.#cachedRows(statement) : this.#read(statement);
  }

  shortRows(statement: Sql): readonly Row[] {
    return this.#connection.within(short, () => this.#read(statement));
  }

  /** Reads that share the snapshot of the first of them. Each raises SnapshotLost when that snapshot has ended. */
  snapshot(): SnapshotReads {
    let own: number | undefined;
    const hold = (): void => {
      this.#begin();
      own ??= this.#begun;
      if (own !== this.#begun) throw new SnapshotLost('the snapshot of this iteration of the event loop has ended');
    };
    return {
      rows: (statement) => (hold(), this.rows(statement)),
      shortRows: (statement) => (hold(), this.shortRows(statement)),
    };
  }

  /** Ends the snapshot of this iteration of the event loop: what is read next sees what was written by now. */
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
    // What was begun after this iteration looked for requests ends in the next one, where others may have come in by then.
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
    const known = this.#cache.get(key);
    if (known?.parts === parts && values.every((value, at) => value === known.values[at])) return known.rows;
    const rows = this.#read(statement);
    this.#cache.set(key, { parts, values, rows });
    return rows;
  }

  /** Drops the cached rows if there was a commit since they were read. */
  #dropStale(): void {
    const [row] = this.#read(dataVersion);
    if (this.#isCompared) return;
    const version = row?.['data_version'];
    if (version !== this.#cachedAt || this.#cache.size >= mostCached) this.#cache.clear();
    this.#cachedAt = version;
    this.#isCompared = true;
  }
}
