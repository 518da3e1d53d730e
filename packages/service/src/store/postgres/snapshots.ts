import type { TenantTurns } from '../../concurrency/tenant-turns.ts';
import { render } from '../sql.ts';
import { SnapshotLost, StoreUnavailable, type Reader, type Snapshots } from '../store.ts';
import { postgresDialect } from './dialect.ts';
import { longReadError } from './errors.ts';
import type { Connection } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { begin, undo, type Session, type TransactionLimits } from './transaction.ts';

const beginSnapshot = 'begin isolation level repeatable read read only';

export interface SnapshotPools {
  /** Connections for transactions of short reads. */
  readonly short: ConnectionPool<Connection>;
  /** Connections for searches. Tenants take turns in using them. */
  readonly search: ConnectionPool<Connection>;
  readonly turns: TenantTurns;
  readonly limits: () => TransactionLimits;
}

/** Runs reads in one transaction. Acquires a connection at the first read and releases it at the end. */
async function readTogether<Result>(
  pool: ConnectionPool<Connection>,
  limits: TransactionLimits,
  work: (reader: Reader) => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const start = async (): Promise<{ connection: Connection; session: Session }> => {
    const connection = await pool.acquire();
    return { connection, session: begin(connection, limits, beginSnapshot) };
  };
  let startedSession: ReturnType<typeof start> | undefined;
  const rows: Reader['rows'] = async (statement) => {
    // The work has ended, so another caller may already use the connection.
    if (isOver) throw new StoreUnavailable('the snapshot has ended');
    const text = render(statement, 'dollar');
    startedSession ??= start();
    const { session } = await startedSession;
    try {
      return (await session.send(text, statement.values, limits.prepares(text))).rows;
    } catch (error) {
      throw longReadError(error);
    }
  };
  try {
    return await work({ dialect: postgresDialect, rows });
  } finally {
    isOver = true;
    // The caller need not wait for the end of a read-only transaction.
    void startedSession?.then(
      ({ connection, session }) => undo(session, connection).finally(() => pool.release(connection)),
      () => undefined,
    );
  }
}

/**
 * `near` uses a transaction on a connection for short reads. `apart` uses a transaction on a connection for searches.
 */
export const createSnapshots = ({ short, search, turns, limits }: SnapshotPools): Snapshots => ({
  near: (work) =>
    readTogether(short, limits(), (reader) =>
      work({
        ...reader,
        long: {
          rows: () => Promise.reject(new SnapshotLost('the read is too long for this connection')),
          atOnce: null,
        },
      }),
    ),
  apart: (tenant, work) => turns.run(tenant, () => readTogether(search, limits(), work)),
});
