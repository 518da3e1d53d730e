import type { Outbound } from '../../outbound/index.ts';
import { addressOf } from '../address.ts';
import type { Reach, SqlConnector } from '../connector.ts';
import { networkFailure } from '../failure/network.ts';
import { postgresqlFailure, postgresqlQueryFailure } from '../failure/postgresql.ts';
import { interruptible } from '../interruptible.ts';
import type { Links } from '../links.ts';
import { databaseProperties, declaredProperties } from '../properties.ts';
import { checkSourceQuery } from '../source-query.ts';
import { stagedTest } from '../staged-test.ts';
import { tablePath } from '../table-id.ts';
import { describeQuery, describeTable, listTables } from './catalog.ts';
import { usualPort, type PostgresqlLink } from './link.ts';
import { beginReading, runOn } from './run.ts';

const metadataMs = 15_000;

/** Reads PostgreSQL 12 and later, and servers that speak like it. */
export function postgresql(outbound: Outbound, links: Links<PostgresqlLink>): SqlConnector {
  /** Reads metadata in a transaction of its own. */
  const reading = async <Result>(
    reach: Reach,
    signal: AbortSignal,
    work: (link: PostgresqlLink) => Promise<Result>,
    explain = postgresqlFailure,
  ): Promise<Result> => {
    const deadline = Date.now() + metadataMs;
    const lease = await links.lease(reach, metadataMs, signal);
    const { link } = lease;
    let keep = false;
    const interrupt = (): void => void link.cancel().finally(() => lease.release(false));
    const whole = async (): Promise<Result> => {
      await link.client.query(beginReading(deadline));
      const result = await work(link);
      await link.client.query('rollback');
      return result;
    };
    try {
      const result = await interruptible(whole(), { deadline, signal, interrupt });
      keep = true;
      return result;
    } catch (error) {
      throw explain(error);
    } finally {
      lease.release(keep);
    }
  };

  return {
    kind: 'sql',
    name: 'postgresql',
    dialect: 'postgres',
    label: 'PostgreSQL',
    sentence: 'A PostgreSQL database, or one that speaks its protocol.',
    properties: declaredProperties.postgresql,
    checkQuery: (text) => checkSourceQuery(text, 'postgres'),
    path: tablePath,
    test: (reach, signal) =>
      stagedTest({
        async reach() {
          const { host, port } = addressOf(reach, usualPort);
          const { connectTimeoutMs } = databaseProperties('postgresql', reach.properties);
          try {
            (await outbound.connect(host, port, { deadlineMs: connectTimeoutMs, signal })).destroy();
          } catch (error) {
            throw networkFailure(error);
          }
        },
        signIn: () => reading(reach, signal, ({ encryption }) => Promise.resolve(encryption)),
        count: () => reading(reach, signal, async ({ client, schema }) => (await listTables(client, schema)).length),
      }),
    tables: (reach, signal) => reading(reach, signal, ({ client, schema }) => listTables(client, schema)),
    async describe(reach, what, signal) {
      if ('table' in what) return reading(reach, signal, ({ client }) => describeTable(client, what.table));
      const checked = checkSourceQuery(what.query, 'postgres');
      return reading(reach, signal, ({ client }) => describeQuery(client, checked), postgresqlQueryFailure);
    },
    features: (reach, signal) =>
      reading(reach, signal, async ({ client }) => {
        const { rows } = await client.query<[string]>({ text: 'show server_version', values: [], rowMode: 'array' });
        return { version: `PostgreSQL ${rows[0]?.[0] ?? ''}`, zones: true };
      }),
    async run(reach, statement, limits, signal) {
      const deadline = Date.now() + limits.deadlineMs;
      const lease = await links.lease(reach, limits.deadlineMs, signal);
      return runOn(lease, statement, limits, deadline, signal);
    },
  };
}
