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

/** Reads PostgreSQL 12 and later, and servers that speak like it. */
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
    sentence: 'A PostgreSQL database, or one that speaks its protocol.',
    properties: declaredProperties.postgresql,
    checkQuery: (text) => checkSourceQuery(text, 'postgres'),
    path: tablePath,
    test: (reach, signal) =>
      stagedTest({
        reach: () => reachable(outbound, 'postgresql', reach, usualPort, signal),
        signIn: () => reading(reach, signal, ({ encryption }) => Promise.resolve(encryption)),
        count: () => reading(reach, signal, async ({ client, schema }) => (await listTables(client, schema)).length),
      }),
    tables: (reach, signal) => reading(reach, signal, ({ client, schema }) => listTables(client, schema)),
    async describe(reach, what, signal) {
      if ('table' in what) return reading(reach, signal, ({ client }) => describeTable(client, what.table));
      const checked = checkSourceQuery(what.query, 'postgres');
      return reading(reach, signal, ({ client }) => describeQuery(client, checked), postgresqlQueryFailure);
    },
    foreignKeys: (reach, signal) => reading(reach, signal, ({ client, schema }) => listForeignKeys(client, schema)),
    mayWrite: (reach, signal) => reading(reach, signal, ({ client }) => mayWrite(client)),
    features: (reach, signal) =>
      reading(reach, signal, async ({ client }) => {
        const { rows } = await client.query<[string]>({ text: 'show server_version', values: [], rowMode: 'array' });
        return { version: `PostgreSQL ${rows[0]?.[0] ?? ''}`, zones: true };
      }),
    async run(reach, statement, limits, signal) {
      const deadline = Date.now() + limits.deadlineMs;
      return runOn(await links.lease(reach, limits.deadlineMs, signal), statement, limits, deadline, signal);
    },
  };
}
