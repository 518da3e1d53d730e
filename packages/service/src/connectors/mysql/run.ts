import { Duplex } from 'node:stream';
import type { RunLimits, SourceAnswer, SourceRows, SourceStatement } from '../connector.ts';
import { mysqlFailure, numberOf } from './failure.ts';
import { interruptible } from '../session/interruptible.ts';
import type { SessionLease } from '../session/session-pool.ts';
import { eachOneStatement } from '../query/one-statement.ts';
import { RowIntake } from '../session/row-intake.ts';
import { streamRows } from '../session/stream-rows.ts';
import { parsedAlone } from './catalog.ts';
import type { MysqlSession } from './session.ts';

/** Begins a read-only transaction. In case the service cannot end it, the server ends it shortly after the deadline. */
export async function beginReading({ connection, isMariadb }: MysqlSession, deadline: number): Promise<void> {
  const leftMs = Math.max(1, Math.ceil(deadline - Date.now())) + 250;
  const limit = isMariadb ? `max_statement_time = ${leftMs / 1000}` : `max_execution_time = ${leftMs}`;
  const waitS = Math.ceil(leftMs / 1000) + 1;
  await connection.query(`set session ${limit}, net_write_timeout = ${waitS}, lock_wait_timeout = ${waitS}`);
  await connection.query('start transaction read only');
}

const isRow = (row: unknown): row is SourceRows[number] => Array.isArray(row);

/** Streams the rows of a statement with backpressure, so that even rows with long cells use little memory. */
function rowsOf({ streaming }: MysqlSession, { sql, params }: SourceStatement): RowIntake {
  const stream: unknown = Reflect.get(streaming, 'stream');
  if (!(stream instanceof Duplex)) throw new Error('the driver of MySQL has no stream');
  const intake = new RowIntake({ stream, pause: () => streaming.pause(), resume: () => streaming.resume() });
  intake.open();
  streaming
    .execute({ sql, values: [...params] })
    .on('result', (row: unknown) => {
      if (isRow(row)) intake.add(row);
    })
    .on('error', (error: unknown) => intake.fail(error))
    .on('end', () => intake.end());
  return intake;
}

/** Runs one statement on a leased session and streams its rows. Releases the session at the end. */
export async function runOn(
  lease: SessionLease<MysqlSession>,
  { sql, params, texts = [] }: SourceStatement,
  limits: RunLimits,
  deadline: number,
  signal: AbortSignal,
): Promise<SourceAnswer> {
  const { session } = lease;
  const cancel = (): void => {
    void session.cancel().finally(() => lease.release(false));
  };
  const begin = async (): Promise<void> => {
    await beginReading(session, deadline);
    await eachOneStatement(session.parsed, texts, (text) => parsedAlone(session.connection, text));
  };
  try {
    await interruptible(begin(), { deadline, signal, interrupt: cancel });
  } catch (error) {
    lease.release(false);
    throw mysqlFailure(error);
  }
  const rows = rowsOf(session, { sql, params });
  return streamRows(
    {
      read: (count) => rows.take(count),
      async finish() {
        rows.close();
        await session.connection.query('rollback');
        lease.release(true);
      },
      fail(error) {
        rows.close();
        if (numberOf(error) < 1000 || session.state.broken) return cancel();
        session.connection.query('rollback').then(
          () => lease.release(true),
          () => lease.release(false),
        );
      },
      cancel() {
        rows.close();
        cancel();
      },
      explain: mysqlFailure,
    },
    limits,
    deadline,
    signal,
  );
}
