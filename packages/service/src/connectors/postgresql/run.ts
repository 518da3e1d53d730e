import type { RunLimits, SourceAnswer, SourceRows, SourceStatement } from '../connector.ts';
import { postgresqlFailure } from '../failure/postgresql.ts';
import { interruptible } from '../interruptible.ts';
import type { Lease } from '../links.ts';
import { eachOneStatement } from '../query/one-statement.ts';
import { streamRows } from '../stream-rows.ts';
import type { PostgresqlLink } from './link.ts';
import { parsed } from './parsed.ts';
import { postgresqlReaders } from './types.ts';

/** Whether the server itself ended the statement, and the session goes on. */
const isOfServer = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity === 'ERROR';

/** Begins a transaction that reads only, and that the server itself ends soon after the deadline if nobody else does. */
export const beginReading = (deadline: number): string => {
  const leftMs = Math.max(1, Math.ceil(deadline - Date.now())) + 250;
  const idleMs = leftMs + 1000;
  return `begin transaction read only; set local statement_timeout = ${leftMs}; set local lock_timeout = ${leftMs}; set local idle_in_transaction_session_timeout = ${idleMs}`;
};

/** Runs one statement on a lent session through a cursor; gives the session back at the end. Raises SourceProblem. */
export async function runOn(
  lease: Lease<PostgresqlLink>,
  statement: SourceStatement,
  limits: RunLimits,
  deadline: number,
  signal: AbortSignal,
): Promise<SourceAnswer> {
  const { link } = lease;
  const { client } = link;
  const cancel = (): void => {
    void link.cancel().finally(() => lease.release(false));
  };
  const begin = async (): Promise<void> => {
    await client.query(beginReading(deadline));
    await eachOneStatement(link.parsed, statement.texts ?? [], (text) => parsed(client, text));
  };
  try {
    await interruptible(begin(), { deadline, signal, interrupt: cancel });
  } catch (error) {
    lease.release(false);
    throw postgresqlFailure(error);
  }
  const { default: Cursor } = await import('pg-cursor');
  const options = { rowMode: 'array', types: postgresqlReaders } as const;
  const cursor = client.query(new Cursor<SourceRows[number]>(statement.sql, [...statement.params], options));
  return streamRows(
    {
      read: (count) => cursor.read(count),
      async finish() {
        await cursor.close();
        await client.query('rollback');
        lease.release(true);
      },
      fail(error) {
        if (!isOfServer(error)) return cancel();
        client.query('rollback').then(
          () => lease.release(true),
          () => lease.release(false),
        );
      },
      cancel,
      explain: postgresqlFailure,
    },
    limits,
    deadline,
    signal,
  );
}
