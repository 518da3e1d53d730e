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

/** Reads on the thread that answers requests. */
export interface Reads extends SnapshotReads {
  /** Reads that share the snapshot of the first of them. Each raises SnapshotLost when that snapshot has ended. */
  snapshot(): SnapshotReads;
  /** Ends the snapshot of this iteration of the event loop: what is read next sees what was written by now. */
  readonly end: () => void;
  close(): void;
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
 * Reads on a connection that can only read. Reads of one iteration of the event loop share a snapshot, which saves taking and
 * giving back the file's locks for each. A request that came in after an answer was sent is read in a later iteration, so it
 * never sees less than that answer told. Rows of statements with the hint `cached` are cached until somebody commits.
 */
export function createReads(connection: SqliteConnection): Reads {
  const cache = new Map<string, CachedRows>();
  /** The data version at which the cached rows were read. */
  let cachedAt: Value | undefined;
  let isCompared = false;
  let isOpen = false;
  let begunIn = 0;
  let begun = 0;

  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    connection.endReading();
  };

  const begin = (): void => {
    // What was begun after this iteration looked for requests ends in the next one, where others may have come in by then.
    if (isOpen && iteration() !== begunIn) end();
    if (isOpen) return;
    if (!connection.database.isTransaction) connection.keyword('begin');
    isOpen = true;
    isCompared = false;
    begunIn = iteration();
    begun += 1;
    setImmediate(end);
  };

  const inSnapshot = (statement: Sql): readonly Row[] => {
    begin();
    return connection.rows(statement);
  };

  /** Drops the cached rows where somebody has committed since they were read. */
  const compare = (): void => {
    const [row] = inSnapshot(dataVersion);
    if (isCompared) return;
    if (row?.['data_version'] !== cachedAt || cache.size >= mostCached) cache.clear();
    cachedAt = row?.['data_version'];
    isCompared = true;
  };

  const steadily = (statement: Sql): readonly Row[] => {
    if (!isOpen || iteration() !== begunIn || !isCompared) compare();
    const { parts, values } = statement;
    const about = values.join(' ');
    const known = cache.get(about);
    if (known?.parts === parts && values.every((value, at) => value === known.values[at])) return known.rows;
    const found = inSnapshot(statement);
    cache.set(about, { parts, values, rows: found });
    return found;
  };

  const rows = (statement: Sql): readonly Row[] =>
    statement.hints?.cached === true ? steadily(statement) : inSnapshot(statement);
  const shortRows = (statement: Sql): readonly Row[] => connection.within(short, () => inSnapshot(statement));

  /** Begins a snapshot when it is first called; raises SnapshotLost later when that one has ended. */
  const holding = (): (() => void) => {
    let held: number | undefined;
    return () => {
      begin();
      held ??= begun;
      if (held !== begun) throw new SnapshotLost('the snapshot of this iteration of the event loop has ended');
    };
  };

  return {
    rows,
    shortRows,
    snapshot() {
      const hold = holding();
      return {
        rows: (statement) => (hold(), rows(statement)),
        shortRows: (statement) => (hold(), shortRows(statement)),
      };
    },
    end,
    close: () => {
      end();
      connection.close();
    },
  };
}
