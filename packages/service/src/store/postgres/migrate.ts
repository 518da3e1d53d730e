import type { Exclusively } from '../migrate.ts';
import { isLockWait } from './errors.ts';
import { PostgresConnection } from './connection.ts';
import { begin, undo } from './transaction.ts';
import { render, sql } from '../sql.ts';

/** Key of the advisory lock that all instances use. Its bytes spell "inlay". */
const lockKey = 0x696e6c6179;
/** Waits until other instances have migrated, and blocks other instances until the end of the transaction. */
export const migrationLock = `select pg_advisory_xact_lock(${lockKey})`;
const lockTimeoutMs = 2_000;
const patienceMs = 60_000;
/** Time limit that is practically infinite, since building an index over many rows may take long. */
const longestMs = 2 ** 31 - 1;

/** Counts the connections of releases without leases, which have this application name. */
const withoutLease = `select count(*) as n from pg_stat_activity
  where datname = current_database() and application_name = 'inlay' and pid <> pg_backend_pid()`;

const collationTest = sql`select lower('ÄÉЖ') = 'äéж' as fold, current_setting('server_encoding') as encoding`;

/** Opens a connection for migrations of a PostgreSQL database; the caller closes it. */
export function migrationConnection(url: string, connectTimeoutMs: number) {
  const connection = new PostgresConnection(url, {
    connectTimeoutMs,
    statementTimeoutMs: 0,
    lockTimeoutMs,
    silenceMs: Infinity,
  });

  const exclusively: Exclusively = async (work) => {
    const until = performance.now() + patienceMs;
    for (;;) {
      const session = begin(connection, { answerMs: longestMs, until: Infinity });
      try {
        await session.send(migrationLock);
        const result = await work({
          dialect: 'postgres',
          rows: async (statement) => (await session.send(render(statement, 'dollar'), statement.values)).rows,
          execute: async (statement) => {
            await session.send(statement);
          },
          verify: async () => undefined,
          // Locks a table that every write reads.
          excludeWriters: async () => {
            await session.send('lock table schema_compatible in access exclusive mode');
          },
          isUsedWithoutLease: async () => Number((await session.send(withoutLease)).rows[0]?.['n']) > 0,
        });
        await session.send('commit');
        return result;
      } catch (error) {
        await undo(session, connection);
        if (!isLockWait(error) || performance.now() > until) throw error;
      }
    }
  };

  return {
    exclusively,
    /** Raises an error if the database would search or order non-ASCII text in another way than SQLite. */
    async checkLetters(): Promise<void> {
      const [row] = (await connection.query(render(collationTest, 'dollar'), [], false)).rows;
      if (row?.['encoding'] !== 'UTF8' || row['fold'] !== 1) {
        throw new Error(
          'the database must use encoding UTF8 and a locale with Unicode letters, such as C.UTF-8 or en_US.UTF-8',
        );
      }
    },
    close: () => connection.close(),
  };
}
