import { performance } from 'node:perf_hooks';
import { connectSqlite, type SqliteConnection } from './sqlite-connection.ts';
import { isBusy, sqliteError } from './sqlite-errors.ts';
import type { Sql, Value } from './sql.ts';
import type { Row } from './store.ts';

/** How long a read may wait for another process, on the thread that answers requests. */
const readBusyMs = 250;

/** Reads on the thread that answers requests. */
export interface Reads {
  /** Raises StoreUnavailable. */
  rows(statement: Sql): readonly Row[];
  /** Ends the snapshot of this turn of the event loop: what is read next sees what was written by now. */
  readonly end: () => void;
  /** Gives the connection away to write on until the work is done; whoever reads meanwhile reads on another one. */
  lend<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): void;
}

/** The turn of the event loop: counted when it looks for what came in. */
const turn = (): number => performance.nodeTiming.uvMetricsInfo.loopCount;

interface Found {
  readonly parts: readonly string[];
  readonly values: readonly Value[];
  readonly rows: readonly Row[];
}

const isSelect = ({ parts: [first = ''] }: Sql): boolean => first.startsWith('select ');

/**
 * Reads on a connection that also writes, so that what it wrote is not read from the file again. Only a `select` ever reaches
 * it; anything else, and what has to wait for another process, goes to a connection that can only read.
 *
 * Reads of one turn of the event loop share a snapshot, which saves taking and giving back the file's locks for each, and
 * what is asked by a value or two alone, as a caller is by key and token, is read once. A request that came in after an answer was
 * sent is read in a later turn, so it never sees less than that answer told.
 */
export function createReads(connection: SqliteConnection, file: string): Reads {
  const read = new Map<string, Found>();
  let state: 'closed' | 'open' | 'lent' = 'closed';
  let begunIn = 0;
  let other: SqliteConnection | undefined;
  const apart = (statement: Sql): readonly Row[] =>
    (other ??= connectSqlite(file, { readOnly: true, busyMs: readBusyMs })).rows(statement);

  const end = (): void => {
    if (state !== 'open') return;
    state = 'closed';
    read.clear();
    // A statement that failed badly has ended the transaction itself.
    if (connection.database.isTransaction) connection.keyword('commit');
  };

  const rowsHere = (statement: Sql): readonly Row[] => {
    if (state === 'closed') {
      connection.keyword('begin');
      state = 'open';
      begunIn = turn();
      setImmediate(end);
    }
    return connection.rows(statement);
  };

  const rows = (statement: Sql): readonly Row[] => {
    // A transaction outside a snapshot is a write that could not be undone; the next write undoes it.
    const isTaken = state === 'lent' || (state === 'closed' && connection.database.isTransaction);
    if (isTaken || !isSelect(statement)) return apart(statement);
    try {
      return rowsHere(statement);
    } catch (error) {
      if (isBusy(sqliteError(error))) return apart(statement);
      throw error;
    }
  };

  return {
    rows: (statement) => {
      const { parts, values, lasting } = statement;
      // What was begun after this turn looked for requests ends in the next one, where others may have come in by then.
      if (state === 'open' && turn() !== begunIn) end();
      if (lasting !== true || values.length === 0 || values.length > 2) return rows(statement);
      const about = values.join(' ');
      const known = read.get(about);
      if (known?.parts === parts && values.every((value, at) => value === known.values[at])) return known.rows;
      const found = rows(statement);
      if (state === 'open') read.set(about, { parts, values, rows: found });
      return found;
    },
    end,
    lend: async (work) => {
      end();
      state = 'lent';
      return work().finally(() => (state = 'closed'));
    },
    close: () => {
      end();
      connection.close();
      other?.close();
    },
  };
}
