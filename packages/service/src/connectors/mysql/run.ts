import type { RunLimits, SourceAnswer, SourceRows, SourceStatement } from '../connector.ts';
import { mysqlFailure, numberOf } from '../failure/mysql.ts';
import { interruptible } from '../interruptible.ts';
import type { Lease } from '../links.ts';
import { eachOneStatement } from '../query/one-statement.ts';
import { streamRows } from '../stream-rows.ts';
import { parsedAlone } from './catalog.ts';
import type { MysqlLink } from './link.ts';

/** Begins a transaction that reads only, and that the server itself ends soon after the deadline if nobody else does. */
export async function beginReading({ connection, isMariadb }: MysqlLink, deadline: number): Promise<void> {
  const leftMs = Math.max(1, Math.ceil(deadline - Date.now())) + 250;
  const limit = isMariadb ? `max_statement_time = ${leftMs / 1000}` : `max_execution_time = ${leftMs}`;
  const waitS = Math.ceil(leftMs / 1000) + 1;
  await connection.query(`set session ${limit}, net_write_timeout = ${waitS}, lock_wait_timeout = ${waitS}`);
  await connection.query('start transaction read only');
}

const isRow = (row: unknown): row is SourceRows[number] => Array.isArray(row);

/** Runs one statement on a lent session, reading its rows as they come; gives the session back at the end. */
export async function runOn(
  lease: Lease<MysqlLink>,
  { sql, params, texts = [] }: SourceStatement,
  limits: RunLimits,
  deadline: number,
  signal: AbortSignal,
): Promise<SourceAnswer> {
  const { link } = lease;
  const cancel = (): void => {
    void link.cancel().finally(() => lease.release(false));
  };
  const begin = async (): Promise<void> => {
    await beginReading(link, deadline);
    await eachOneStatement(link.parsed, texts, (text) => parsedAlone(link.connection, text));
  };
  try {
    await interruptible(begin(), { deadline, signal, interrupt: cancel });
  } catch (error) {
    lease.release(false);
    throw mysqlFailure(error);
  }
  const stream = link.streaming.execute({ sql, values: [...params] }).stream({ highWaterMark: 500 });
  stream.on('error', () => undefined);
  const rows: AsyncIterator<unknown> = stream[Symbol.asyncIterator]();
  return streamRows(
    {
      async read(count) {
        const read: SourceRows[number][] = [];
        while (read.length < count) {
          const { value, done } = await rows.next();
          if (done === true) break;
          if (isRow(value)) read.push(value);
        }
        return read;
      },
      async finish() {
        await link.connection.query('rollback');
        lease.release(true);
      },
      fail(error) {
        if (numberOf(error) < 1000 || link.state.broken) return cancel();
        link.connection.query('rollback').then(
          () => lease.release(true),
          () => lease.release(false),
        );
      },
      cancel() {
        stream.destroy();
        cancel();
      },
      explain: mysqlFailure,
    },
    limits,
    deadline,
    signal,
  );
}
