import { withinMs } from '../deadline.ts';
import { connectionPool, type ConnectionPool } from './connection-pool.ts';
import { migrate, type MigrationOptions, type Migration } from '../migrate.ts';
import { postgresDialect } from './dialect.ts';
import { longReadError, postgresError } from './errors.ts';
import { openConnection, type StatementResult, type Connection, type ConnectionLimits } from './connection.ts';
import { migrationConnection } from './migrate.ts';
import { plan } from './plan.ts';
import { planTexts } from './plan-text.ts';
import { keptTexts } from './prepared.ts';
import { sendPlan } from './send-plan.ts';
import { createSnapshots } from './snapshots.ts';
import { transact, type TransactionLimits } from './transaction.ts';
import { render, sql, type Sql, type Value } from '../sql.ts';
import { ReadsBusy, StoreBusy, StoreUnavailable, type Perform, type Row, type Store } from '../store.ts';
import { createTenantTurns } from '../../concurrency/tenant-turns.ts';

/** The answer to a statement that was cut short by the server may take this much longer to come back. */
const slackMs = 500;
const lockTimeoutMs = 2_000;
const readersShare = 0.4;
const pipelined = 64;
const sentTogether = 8;
const searchConnections = 2;

export interface PostgresOptions<Command, Answer> {
  /** `postgres://user:password@host:port/database?sslmode=verify-full` */
  readonly url: string;
  readonly perform: Perform<Command, Answer>;
  readonly migrations: readonly Migration[];
  readonly migrating?: MigrationOptions;
  /** Whether a command may do no more than add rows to what it expects, so that planning it may pay; all unless given. */
  readonly plannable?: (command: Command) => boolean;
  /** Connections at most; reads share some of them, each write has one of the others to itself. */
  readonly poolSize?: number;
  /** Also bounds how soon a connection that fell silent is given up, and so how soon the store is back after a fault. */
  readonly statementTimeoutMs?: number;
  /** Who would wait longer for a connection is refused at once. */
  readonly longestWaitMs?: number;
  readonly connectTimeoutMs?: number;
}

/** Raises StoreUnavailable, MigrationRefused, and Error when the database is not in UTF-8 with Unicode letters. */
async function bringUpToDate(
  url: string,
  connectTimeoutMs: number,
  migrations: readonly Migration[],
  migrating: MigrationOptions,
): Promise<void> {
  const schema = migrationConnection(url, connectTimeoutMs);
  try {
    await schema.checkLetters();
    await migrate(schema.exclusively, migrations, migrating);
  } catch (error) {
    throw postgresError(error);
  } finally {
    await schema.close();
  }
}

/**
 * Opens a store in a PostgreSQL database after bringing its schema up to date. A read is over within the statement timeout
 * and half a second; a write within three times that: two for waiting and its statements, one for the commit.
 * Raises StoreUnavailable, MigrationRefused, and Error when the database is not in UTF-8 with Unicode letters.
 */
export async function openPostgresStore<Command, Answer>({
  url,
  perform,
  migrations,
  migrating = {},
  plannable = () => true,
  poolSize = 10,
  statementTimeoutMs = 3_500,
  longestWaitMs = 250,
  connectTimeoutMs = 2_000,
}: PostgresOptions<Command, Answer>): Promise<Store<Command, Answer>> {
  await bringUpToDate(url, connectTimeoutMs, migrations, migrating);
  const answerMs = statementTimeoutMs + slackMs;
  const patience = { patienceMs: answerMs, longestWaitMs };
  const limits: ConnectionLimits = { connectTimeoutMs, statementTimeoutMs, lockTimeoutMs, silenceMs: answerMs };
  const connections = (count: number, how: ConnectionLimits) =>
    Array.from({ length: Math.max(1, count) }, () => openConnection(url, how));
  // Those who read at the same time share a way; a write is sent whole and waits for nobody.
  const share = Math.floor(poolSize * readersShare);
  const readers = connections(Math.floor(share / 2), { ...limits, together: 'iteration' });
  // Planning the rights on one record takes longer than finding it by its id, whose plan no value changes.
  const finders = connections(share - readers.length, { ...limits, together: 'iteration', plans: 'once' });
  const writers = connections(poolSize - readers.length - finders.length - searchConnections, limits);
  const poolOf = (of: readonly Connection[]) =>
    connectionPool(of, { ...patience, capacity: pipelined, together: sentTogether });
  const reading = poolOf(readers);
  const finding = poolOf(finders);
  const writing = connectionPool(writers, { ...patience, capacity: 1 });
  const prepares = keptTexts();
  const running = new Set<Promise<unknown>>();
  let closing = false;

  const ask = async (
    pool: ConnectionPool<Connection>,
    text: string,
    values: readonly Value[],
  ): Promise<StatementResult> => {
    const connection = await pool.acquire();
    try {
      return await connection.query(text, values, prepares(text));
    } finally {
      pool.release(connection);
    }
  };

  const read = async (statement: Sql): Promise<readonly Row[]> => {
    try {
      const pool = statement.hints?.single === true ? finding : reading;
      return (await withinMs(answerMs, ask(pool, render(statement, 'dollar'), statement.values))).rows;
    } catch (error) {
      throw postgresError(error);
    }
  };

  // A search may look at every record: it has connections of its own, so that no other read waits behind it.
  const searchers = connections(searchConnections, limits);
  const searching = connectionPool(searchers, { ...patience, capacity: 1 });
  const turns = createTenantTurns({
    places: searchConnections,
    waiting: 50,
    refusal: () => new ReadsBusy('too many reads of this organization wait'),
  });
  const search = async (text: string, values: readonly Value[]): Promise<readonly Row[]> => {
    const connection = await searching.acquire();
    try {
      return (await withinMs(answerMs, connection.query(text, values, prepares(text)))).rows;
    } catch (error) {
      throw longReadError(error);
    } finally {
      searching.release(connection);
    }
  };

  const schema = migrations.length;
  const textOf = planTexts(schema);
  const transactionLimits = (): TransactionLimits => ({ answerMs, until: performance.now() + 2 * answerMs, prepares });

  const write = async (command: Command): Promise<Answer> => {
    const limits = transactionLimits();
    const planned = plannable(command) ? await plan(perform, command, textOf) : null;
    const connection = await writing.acquire();
    try {
      if (planned !== null && (await sendPlan(connection, planned, limits))) return planned.answer;
      return await transact(connection, perform, command, { ...limits, schema });
    } finally {
      writing.release(connection);
    }
  };

  return {
    dialect: postgresDialect,
    long: {
      rows: (statement, tenant) => turns.run(tenant, () => search(render(statement, 'dollar'), statement.values)),
      atOnce: null,
    },
    snapshots: createSnapshots({ short: writing, search: searching, turns, limits: transactionLimits }),
    rows: read,
    write(command) {
      if (closing) return Promise.reject(new StoreUnavailable('the store is closing'));
      const work = write(command);
      running.add(work);
      const forget = (): void => void running.delete(work);
      work.then(forget, forget);
      return work;
    },
    pending: () => running.size,
    async ping() {
      try {
        await read(sql`select 1 as here`);
      } catch (error) {
        // Others are answered meanwhile.
        if (!(error instanceof StoreBusy)) throw error;
      }
    },
    async close() {
      closing = true;
      await Promise.allSettled(running);
      await Promise.all([...readers, ...finders, ...searchers, ...writers].map((connection) => connection.close()));
    },
  };
}
