import type { Client } from 'pg';
import type { RunLimits, SourceAnswer, SourceRows, SourceStatement } from '../connector.ts';
import { postgresqlFailure } from './failure.ts';
import { interruptible } from '../session/interruptible.ts';
import type { SessionLease } from '../session/session-pool.ts';
import { eachOneStatement } from '../query/one-statement.ts';
import { RowIntake } from '../session/row-intake.ts';
import { streamRows } from '../session/stream-rows.ts';
import type { PostgresqlSession } from './session.ts';
import { parsed } from './parsed.ts';
import { postgresqlReaders } from './types.ts';

/** True if the server reported the error. The session can then continue. */
const isOfServer = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity === 'ERROR';

/**
 * Returns SQL that begins a read-only transaction. In case the service cannot end the transaction, the server ends it
 * shortly after the deadline.
 */
export const beginReading = (deadline: number): string => {
  const leftMs = Math.max(1, Math.ceil(deadline - Date.now())) + 250;
  const idleMs = leftMs + 1000;
  return `begin transaction read only; set local statement_timeout = ${leftMs}; set local lock_timeout = ${leftMs}; set local idle_in_transaction_session_timeout = ${idleMs}`;
};

interface CursorRows {
  /** Reads up to `count` further rows. Returns an empty list at the end. */
  readonly read: (count: number) => Promise<SourceRows>;
  readonly close: () => Promise<void>;
  /** Stops listening to the connection, but does not close the connection. */
  readonly leave: () => void;
}

/** Opens a cursor that fetches rows with backpressure, so that even rows with long cells use little memory. */
async function readAhead(client: Client, { sql, params }: SourceStatement): Promise<CursorRows> {
  const { default: Cursor } = await import('pg-cursor');
  const options = { rowMode: 'array', types: postgresqlReaders } as const;
  const cursor = client.query(new Cursor<SourceRows[number]>(sql, [...params], options));
  const { stream } = client.connection;
  const intake = new RowIntake({ stream, pause: () => stream.pause(), resume: () => stream.resume() });
  let requestedRows = 0;
  let receivedRows = 0;
  cursor.on('row', (row: SourceRows[number]) => {
    receivedRows += 1;
    // Empties the buffer of the cursor, which would otherwise hold all requested rows, however long they are.
    if (intake.add(row)) Reflect.set(cursor, '_rows', []);
  });
  const ask = (count: number): void => {
    [requestedRows, receivedRows] = [count, 0];
    intake.open();
    cursor.read(count).then(
      () => intake.end(),
      (error: unknown) => intake.fail(error),
    );
  };
  return {
    read: async (count) => {
      for (;;) {
        const rows = await intake.take(count);
        if (rows.length > 0) return rows;
        if (receivedRows < requestedRows) return [];
        ask(count);
      }
    },
    close: async () => {
      intake.close();
      await cursor.close();
    },
    leave: () => intake.close(),
  };
}

/** Runs one statement with a cursor on a leased session. Releases the session at the end. Raises SourceProblem. */
export async function runOn(
  lease: SessionLease<PostgresqlSession>,
  statement: SourceStatement,
  limits: RunLimits,
  deadline: number,
  signal: AbortSignal,
): Promise<SourceAnswer> {
  const { session } = lease;
  const { client } = session;
  const cancel = (): void => {
    void session.cancel().finally(() => lease.release(false));
  };
  const begin = async (): Promise<void> => {
    await client.query(beginReading(deadline));
    await eachOneStatement(session.parsed, statement.texts ?? [], (text) => parsed(client, text));
  };
  try {
    await interruptible(begin(), { deadline, signal, interrupt: cancel });
  } catch (error) {
    lease.release(false);
    throw postgresqlFailure(error);
  }
  const rows = await readAhead(client, statement);
  return streamRows(
    {
      read: rows.read,
      async finish() {
        await rows.close();
        await client.query('rollback');
        lease.release(true);
      },
      fail(error) {
        rows.leave();
        if (!isOfServer(error)) return cancel();
        client.query('rollback').then(
          () => lease.release(true),
          () => lease.release(false),
        );
      },
      cancel() {
        rows.leave();
        cancel();
      },
      explain: postgresqlFailure,
    },
    limits,
    deadline,
    signal,
  );
}
