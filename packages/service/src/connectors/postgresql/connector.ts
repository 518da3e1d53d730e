import type { Outbound } from '../../outbound/index.ts';
import type { SqlConnector } from '../connector.ts';
import { postgresqlFailure, postgresqlQueryFailure } from '../failure/postgresql.ts';
import type { Links } from '../links.ts';
import { declaredProperties } from '../properties.ts';
import { reachable, reader } from '../reading.ts';
import { checkSourceQuery } from '../query/check.ts';
import { stagedTest } from '../staged-test.ts';
import { tablePath } from '../table-id.ts';
import { describeQuery, describeTable, listForeignKeys, listTables, mayWrite } from './catalog.ts';
import { usualPort, type PostgresqlLink } from './link.ts';
import { beginReading, runOn } from './run.ts';

/** Creates the connector for PostgreSQL 12 and later, and for servers with a compatible protocol. */
export function postgresql(outbound: Outbound, links: Links<PostgresqlLink>): SqlConnector {
  const reading = reader(links, {
    begin: ({ client }, deadline) => client.query(beginReading(deadline)),
    end: ({ client }) => client.query('rollback'),
    explain: postgresqlFailure,
  });
  return {
    kind: 'sql',
    name: 'postgresql',
    dialect: 'postgres',
    label: 'PostgreSQL',
    description: 'A PostgreSQL database, or one that speaks its protocol.',
    properties: declaredProperties.postgresql,
    checkQuery: (text) => checkSourceQuery(text, 'postgres'),
    path: tablePath,
    test: (params, signal) =>
      stagedTest({
        reach: () => reachable(outbound, 'postgresql', params, usualPort, signal),
        signIn: () => reading(params, signal, ({ encryption }) => Promise.resolve(encryption)),
        count: () => reading(params, signal, async ({ client, schema }) => (await listTables(client, schema)).length),
      }),
    tables: (params, signal) => reading(params, signal, ({ client, schema }) => listTables(client, schema)),
    async describe(params, what, signal) {
      if ('table' in what) return reading(params, signal, ({ client }) => describeTable(client, what.table));
      const sourceQuery = checkSourceQuery(what.query, 'postgres');
      return reading(params, signal, ({ client }) => describeQuery(client, sourceQuery), postgresqlQueryFailure);
    },
    foreignKeys: (params, signal) => reading(params, signal, ({ client, schema }) => listForeignKeys(client, schema)),
    mayWrite: (params, signal) => reading(params, signal, ({ client }) => mayWrite(client)),
    features: (params, signal) =>
      reading(params, signal, async ({ client }) => {
        const { rows } = await client.query<[string]>({ text: 'show server_version', values: [], rowMode: 'array' });
        return { version: `PostgreSQL ${rows[0]?.[0] ?? ''}`, zones: true };
      }),
    async run(params, statement, limits, signal) {
      const deadline = Date.now() + limits.deadlineMs;
      return runOn(await links.lease(params, limits.deadlineMs, signal), statement, limits, deadline, signal);
    },
  };
}
