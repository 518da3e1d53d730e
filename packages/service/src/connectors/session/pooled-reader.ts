import type { Outbound } from '../../outbound/index.ts';
import type { ConnectionParams, SqlReader } from '../connector.ts';
import type { SourceProblem } from '../problem.ts';
import { databaseProperties, type DeclaredProperties } from '../properties.ts';
import { checkSourceQuery, type QueryRules } from '../query/check-query.ts';
import { hostOf } from './address.ts';
import type { CancellableSession, Driver } from './driver.ts';
import { interruptible } from './interruptible.ts';
import { networkFailure } from './network-failure.ts';
import type { SessionPools } from './session-pool.ts';
import { stagedTest } from './staged-test.ts';

const metadataMs = 15_000;

export interface PooledReaderOptions {
  readonly outbound: Outbound;
  readonly pools: SessionPools;
  readonly properties: DeclaredProperties;
  readonly queryRules: QueryRules;
}

/** Creates a reader of databases whose sessions are pooled. */
export function pooledReader<Session extends CancellableSession>(
  driver: Driver<Session>,
  { outbound, pools, properties, queryRules }: PooledReaderOptions,
): SqlReader {
  const pool = pools.open(driver);

  /** Works with a leased session that only reads. The time limit is 15 seconds. Raises SourceProblem. */
  async function read<Result>(
    params: ConnectionParams,
    signal: AbortSignal,
    work: (session: Session) => Promise<Result>,
    failure: (error: unknown) => SourceProblem = driver.failure,
  ): Promise<Result> {
    const deadline = Date.now() + metadataMs;
    const { session, release } = await pool.lease(params, metadataMs, signal);
    const readOnce = async (): Promise<Result> => {
      await driver.begin(session, deadline);
      const result = await work(session);
      await driver.end(session);
      return result;
    };
    let isSound = false;
    let isInterrupted = false;
    const interrupt = (): void => {
      isInterrupted = true;
      void session.cancel().finally(() => release(false));
    };
    try {
      const result = await interruptible(readOnce(), { deadline, signal, interrupt });
      isSound = true;
      return result;
    } catch (error) {
      throw failure(error);
    } finally {
      if (!isInterrupted) release(isSound);
    }
  }

  /** Raises SourceProblem unless the account's host accepts connections at its port. */
  async function reach(params: ConnectionParams, signal: AbortSignal): Promise<void> {
    const { host, port } = hostOf(params, driver.usualPort);
    const { connectTimeoutMs } = databaseProperties(properties, params.properties);
    try {
      (await outbound.connect(host, port, { deadlineMs: connectTimeoutMs, signal })).destroy();
    } catch (error) {
      throw networkFailure(error);
    }
  }

  return {
    test: (params, signal) =>
      stagedTest({
        reach: () => reach(params, signal),
        signIn: () => read(params, signal, ({ encryption }) => Promise.resolve(encryption)),
        count: () => read(params, signal, async (session) => (await driver.listTables(session)).length),
      }),
    tables: (params, signal) => read(params, signal, driver.listTables),
    async describe(params, what, signal) {
      if ('table' in what) return read(params, signal, (session) => driver.describeTable(session, what.table));
      const sourceQuery = checkSourceQuery(what.query, queryRules);
      return read(params, signal, (session) => driver.describeQuery(session, sourceQuery), driver.queryFailure);
    },
    foreignKeys: (params, signal) => read(params, signal, driver.listForeignKeys),
    mayWrite: (params, signal) => read(params, signal, driver.mayWrite),
    features: (params, signal) => read(params, signal, driver.features),
    async run(params, statement, limits, signal) {
      const deadline = Date.now() + limits.deadlineMs;
      const askedMs = performance.now();
      const lease = await pool.lease(params, limits.deadlineMs, signal);
      const queuedMs = performance.now() - askedMs;
      return { ...(await driver.run(lease, statement, limits, deadline, signal)), queuedMs };
    },
    async copy(params, statement, deadlineMs, signal) {
      if (driver.copy === undefined) throw new Error('this driver does not copy');
      const deadline = Date.now() + deadlineMs;
      return driver.copy(await pool.lease(params, deadlineMs, signal), statement, deadline, signal);
    },
  };
}
