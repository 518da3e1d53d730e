import { withinMs } from '../deadline.ts';
import { ConnectionPool } from './connection-pool.ts';
import { migrate, type MigrationOptions, type Migration } from '../migrate.ts';
import { postgresDialect } from './dialect.ts';
import { longReadError, postgresError } from './errors.ts';
import { PostgresConnection, type StatementResult, type Connection, type ConnectionLimits } from './connection.ts';
import { migrationConnection } from './migrate.ts';
import { plan } from './plan.ts';
import { planTexts } from './plan-text.ts';
import { createPreparedTexts } from './prepared.ts';
import { sendPlan } from './send-plan.ts';
import { createSnapshots } from './snapshots.ts';
import { transact, type TransactionLimits } from './transaction.ts';
import { render, sql, type Sql } from '../sql.ts';
import { ReadsBusy, StoreBusy, StoreUnavailable, type Perform, type Row, type Store } from '../store.ts';
import { createTenantTurns } from '../../concurrency/tenant-turns.ts';

/** Extra time to wait for the answer to a statement that the server cancels at its timeout. */
const slackMs = 500;
const lockTimeoutMs = 2_000;
const readersShare = 0.4;
const maxPipelined = 64;
const sentTogether = 8;
const searchConnections = 2;

export interface PostgresOptions<Command, Answer> {
  /** Connection string, such as `postgres://user:password@host:port/database?sslmode=verify-full`. */
  readonly url: string;
  readonly perform: Perform<Command, Answer>;
  readonly migrations: readonly Migration[];
  readonly migrating?: MigrationOptions;
  /**
   * True for a command that should be sent as a plan, because it usually only inserts rows. By default, true for all
   * commands.
   */
  readonly plannable?: (command: Command) => boolean;
  /**
   * Maximum number of connections. Reads share some of the connections. Each write uses one of the other connections
   * alone.
   */
  readonly poolSize?: number;
  /**
   * Time limit of a statement. A connection that is silent for this long while statements wait is closed, so this is
   * also the time to recover from a fault.
   */
  readonly statementTimeoutMs?: number;
  /** Limit of the expected wait for a connection. A request whose expected wait is longer is refused immediately. */
  readonly longestWaitMs?: number;
  readonly connectTimeoutMs?: number;
}

/**
 * Migrates the schema. Raises StoreUnavailable and MigrationRefused. Raises Error if the database is not in UTF-8 with
 * a Unicode collation.
 */
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

/** Options of a store, with default values filled in. */
type StoreSettings<Command, Answer> = Required<
  Pick<PostgresOptions<Command, Answer>, 'url' | 'perform' | 'plannable'>
> & {
  /** Number of the newest migration. */
  readonly schema: number;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  readonly longestWaitMs: number;
  readonly connectTimeoutMs: number;
};

/** The connection pools of a store, one per purpose. */
class StorePools {
  /** Connections that concurrent reads share. */
  readonly reads: ConnectionPool<Connection>;
  /**
   * Connections for reads of single records by id. They use generic plans: planning the access conditions takes longer
   * than executing them, and the plan does not depend on the values.
   */
  readonly finds: ConnectionPool<Connection>;
  /**
   * Connections for searches, which may scan every record. They are separate so that other reads do not wait for
   * searches.
   */
  readonly searches: ConnectionPool<Connection>;
  /** Connections that each serve one write at a time. */
  readonly writes: ConnectionPool<Connection>;
  readonly #connections: readonly Connection[];

  constructor(url: string, poolSize: number, limits: ConnectionLimits, longestWaitMs: number) {
    const connectionsToClose: Connection[] = [];
    const poolOf = (count: number, options: ConnectionLimits, shared?: true): ConnectionPool<Connection> => {
      const connections = Array.from({ length: Math.max(1, count) }, () => new PostgresConnection(url, options));
      connectionsToClose.push(...connections);
      const patience = { patienceMs: limits.silenceMs, longestWaitMs };
      return shared === true
        ? new ConnectionPool<Connection>(connections, { ...patience, capacity: maxPipelined, together: sentTogether })
        : new ConnectionPool<Connection>(connections, { ...patience, capacity: 1 });
    };
    const sharedSize = Math.floor(poolSize * readersShare);
    const readers = Math.max(1, Math.floor(sharedSize / 2));
    const finders = Math.max(1, sharedSize - readers);
    this.reads = poolOf(readers, { ...limits, together: 'iteration' }, true);
    this.finds = poolOf(finders, { ...limits, together: 'iteration', plans: 'once' }, true);
    this.searches = poolOf(searchConnections, limits);
    this.writes = poolOf(poolSize - readers - finders - searchConnections, limits);
    this.#connections = connectionsToClose;
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }
}

/** A store in a PostgreSQL database with a current schema. Its methods are fields, because wrappers copy them. */
class PostgresStore<Command, Answer> implements Store<Command, Answer> {
  readonly dialect = postgresDialect;
  readonly long: NonNullable<Store<Command, Answer>['long']>;
  readonly snapshots: NonNullable<Store<Command, Answer>['snapshots']>;

  readonly #settings: StoreSettings<Command, Answer>;
  readonly #answerMs: number;
  readonly #pools: StorePools;
  readonly #prepares = createPreparedTexts();
  readonly #textOf: ReturnType<typeof planTexts>;
  readonly #running = new Set<Promise<unknown>>();
  #isClosing = false;

  constructor(settings: StoreSettings<Command, Answer>) {
    const { url, poolSize, statementTimeoutMs, longestWaitMs, connectTimeoutMs, schema } = settings;
    this.#settings = settings;
    this.#answerMs = statementTimeoutMs + slackMs;
    const limits = { connectTimeoutMs, statementTimeoutMs, lockTimeoutMs, silenceMs: this.#answerMs };
    this.#pools = new StorePools(url, poolSize, limits, longestWaitMs);
    this.#textOf = planTexts(schema);
    const turns = createTenantTurns({
      places: searchConnections,
      waiting: 50,
      refusal: () => new ReadsBusy('too many reads of this organization wait'),
    });
    this.long = {
      rows: (statement, tenant) => turns.run(tenant, () => this.#search(statement)),
      atOnce: null,
    };
    const { writes, searches } = this.#pools;
    this.snapshots = createSnapshots({ short: writes, search: searches, turns, limits: () => this.#limits() });
  }

  readonly rows = async (statement: Sql): Promise<readonly Row[]> => {
    try {
      const pool = statement.hints?.single === true ? this.#pools.finds : this.#pools.reads;
      return (await withinMs(this.#answerMs, this.#query(pool, statement))).rows;
    } catch (error) {
      throw postgresError(error);
    }
  };

  readonly write = (command: Command): Promise<Answer> => {
    if (this.#isClosing) return Promise.reject(new StoreUnavailable('the store is closing'));
    const work = this.#write(command);
    this.#running.add(work);
    const forget = (): void => void this.#running.delete(work);
    work.then(forget, forget);
    return work;
  };

  readonly pending = (): number => this.#running.size;

  readonly ping = async (): Promise<void> => {
    try {
      await this.rows(sql`select 1 as here`);
    } catch (error) {
      // A store that is only too busy still answers other reads, so it counts as responding.
      if (!(error instanceof StoreBusy)) throw error;
    }
  };

  readonly close = async (): Promise<void> => {
    this.#isClosing = true;
    await Promise.allSettled(this.#running);
    await this.#pools.close();
  };

  async #query(pool: ConnectionPool<Connection>, statement: Sql): Promise<StatementResult> {
    const text = render(statement, 'dollar');
    const connection = await pool.acquire();
    try {
      return await connection.query(text, statement.values, this.#prepares(text));
    } finally {
      pool.release(connection);
    }
  }

  async #search(statement: Sql): Promise<readonly Row[]> {
    const text = render(statement, 'dollar');
    const { searches } = this.#pools;
    const connection = await searches.acquire();
    try {
      const query = connection.query(text, statement.values, this.#prepares(text));
      return (await withinMs(this.#answerMs, query)).rows;
    } catch (error) {
      throw longReadError(error);
    } finally {
      searches.release(connection);
    }
  }

  #limits(): TransactionLimits {
    const answerMs = this.#answerMs;
    return { answerMs, until: performance.now() + 2 * answerMs, prepares: this.#prepares };
  }

  async #write(command: Command): Promise<Answer> {
    const { perform, plannable, schema } = this.#settings;
    const { writes } = this.#pools;
    const limits = this.#limits();
    const writePlan = plannable(command) ? await plan(perform, command, this.#textOf) : null;
    const connection = await writes.acquire();
    try {
      if (writePlan !== null && (await sendPlan(connection, writePlan, limits))) return writePlan.answer;
      return await transact(connection, perform, command, { ...limits, schema });
    } finally {
      writes.release(connection);
    }
  }
}

/**
 * Opens a store in a PostgreSQL database after migrating its schema. A read takes at most the statement timeout plus
 * half a second. A write takes at most three times as long: twice for waiting and its statements, once for the commit.
 * Raises StoreUnavailable and MigrationRefused. Raises Error if the database is not in UTF-8 with a Unicode collation.
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
  const schema = migrations.length;
  return new PostgresStore({
    url,
    perform,
    plannable,
    schema,
    poolSize,
    statementTimeoutMs,
    longestWaitMs,
    connectTimeoutMs,
  });
}
