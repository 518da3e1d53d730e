import { performance } from 'node:perf_hooks';
import { connectSqlite, type SqliteConnection } from './connection.ts';
import { isBusy, sqliteError } from './errors.ts';
import { addedTo, sql, type Sql, type Value } from '../sql.ts';
import type { Row } from '../store.ts';

/** How long a read may wait for another process, on the thread that answers requests. */
const readBusyMs = 250;

/** What a read that may take long gets of the thread that answers requests. */
const short = { ms: 15, longestText: 65_536 } as const;

/** Reads on the thread that answers requests. */
export interface Reads {
  /** Raises StoreUnavailable. */
  rows(statement: Sql): readonly Row[];
  /** The same for a statement that may take long: a few milliseconds here. Raises ReadTooLong. */
  shortRows(statement: Sql): readonly Row[];
  /** Ends the snapshot of this turn of the event loop: what is read next sees what was written by now. */
  readonly end: () => void;
  /** Gives the connection away to write on until the work is done; whoever reads meanwhile reads on another one. */
  lend<Result>(work: (connection: SqliteConnection) => Promise<Result>): Promise<Result>;
  close(): void;
}

/** Another number whenever another connection, here or in another process, has committed (sqlite.org, PRAGMA data_version). */
const dataVersion = sql`pragma data_version`;

/** The turn of the event loop: counted when it looks for what came in. */
const turn = (): number => performance.nodeTiming.uvMetricsInfo.loopCount;

interface Found {
  readonly parts: readonly string[];
  readonly values: readonly Value[];
  readonly rows: readonly Row[];
}

/** How many answers to steady statements are kept. */
const mostKept = 1000;

const isSelect = ({ parts: [first = ''] }: Sql): boolean => first.startsWith('select ');

/**
 * Reads on a connection that also writes, so that what it wrote is not read from the file again. Only a `select` ever reaches
 * it; anything else, and what has to wait for another process, goes to a connection that can only read.
 *
 * Reads of one turn of the event loop share a snapshot, which saves taking and giving back the file's locks for each. A
 * request that came in after an answer was sent is read in a later turn, so it never sees less than that answer told. What
 * steady statements gave is kept for as long as the file says that no other connection has written, and this one has written
 * nothing but rows that they do not read.
 */
export function createReads(connection: SqliteConnection, file: string): Reads {
  const kept = new Map<string, Found>();
  /** What they read. */
  const readFor = new Set<string>();
  /** Whether the write under way has changed anything: what is read from there on may be undone. */
  let isChanged = false;
  /** The data version at which it was read. */
  let keptOf: Value | undefined;
  let isCompared = false;
  let state: 'closed' | 'open' | 'lent' = 'closed';
  let begunIn = 0;
  let other: SqliteConnection | undefined;
  const reading = (): SqliteConnection => (other ??= connectSqlite(file, { readOnly: true, busyMs: readBusyMs }));
  const apart = (statement: Sql): readonly Row[] => reading().rows(statement);

  const end = (): void => {
    if (state !== 'open') return;
    state = 'closed';
    // A statement that failed badly has ended the transaction itself.
    if (connection.database.isTransaction) connection.keyword('commit');
  };

  /** Undefined where it cannot be read on this connection now. */
  const here = (statement: Sql): readonly Row[] | undefined => {
    // A transaction outside a snapshot is a write that could not be undone; the next write undoes it.
    if (state === 'lent' || (state === 'closed' && connection.database.isTransaction)) return undefined;
    try {
      if (state === 'closed') {
        connection.keyword('begin');
        state = 'open';
        isCompared = false;
        begunIn = turn();
        setImmediate(end);
      }
      return connection.rows(statement);
    } catch (error) {
      if (isBusy(sqliteError(error))) return undefined;
      throw error;
    }
  };

  const rows = (statement: Sql): readonly Row[] =>
    (isSelect(statement) ? here(statement) : undefined) ?? apart(statement);

  const forget = (): void => {
    kept.clear();
    readFor.clear();
  };

  /** Whether what is kept holds in this snapshot, in which nothing changes; lets go of it where somebody has written since. */
  const keeps = (read: typeof here): boolean => {
    if (isCompared && state !== 'closed') return true;
    const [row] = read(dataVersion) ?? [];
    if (row === undefined) return false;
    if (row['data_version'] !== keptOf || kept.size >= mostKept) forget();
    keptOf = row['data_version'];
    isCompared = true;
    return true;
  };

  const steadily = ({ parts, values, steady = [] }: Sql, read: () => readonly Row[]): readonly Row[] => {
    const about = values.join(' ');
    const known = kept.get(about);
    if (known?.parts === parts && values.every((value, at) => value === known.values[at])) return known.rows;
    const found = read();
    kept.set(about, { parts, values, rows: found });
    for (const part of steady) readFor.add(part);
    return found;
  };

  const inWrite = (statement: Sql): readonly Row[] => connection.rows(statement);

  /** The connection while it is lent: the store's lock is held, so that what is kept holds until it is changed here. */
  const lent: SqliteConnection = {
    ...connection,
    rows: (statement) =>
      statement.steady !== undefined && !isChanged && keeps(inWrite)
        ? steadily(statement, () => inWrite(statement))
        : inWrite(statement),
    run(statement) {
      const part = addedTo(statement);
      if (part === undefined || readFor.has(part)) forget();
      isChanged = true;
      return connection.run(statement);
    },
  };

  const answered = (statement: Sql): readonly Row[] => {
    // What was begun after this turn looked for requests ends in the next one, where others may have come in by then.
    if (state === 'open' && turn() !== begunIn) end();
    if (statement.steady === undefined || state === 'lent' || !keeps(here)) return rows(statement);
    return steadily(statement, () => rows(statement));
  };

  return {
    shortRows: (statement) => {
      if (state === 'open' && turn() !== begunIn) end();
      const found = isSelect(statement) ? connection.within(short, () => here(statement)) : undefined;
      return found ?? reading().within(short, () => reading().rows(statement));
    },
    rows: answered,
    end,
    lend: async (work) => {
      end();
      state = 'lent';
      isCompared = false;
      isChanged = false;
      return work(lent).finally(() => (state = 'closed'));
    },
    close: () => {
      end();
      connection.close();
      other?.close();
    },
  };
}
