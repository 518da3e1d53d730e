import type { SqlReader } from '../connector.ts';
import type { DriverContext } from '../provider.ts';
import { pooledReader } from '../session/pooled-reader.ts';
import { describeQuery, describeTable, listForeignKeys, listTables, mayWrite, serverVersion } from './catalog.ts';
import { postgresqlFailure, postgresqlQueryFailure } from './failure.ts';
import { properties } from './properties.ts';
import { queryRules } from './query-rules.ts';
import { copyOn } from './copy.ts';
import { beginReading, runOn } from './run.ts';
import { postgresqlSessions, usualPort, type PostgresqlSession } from './session.ts';

/** Opens the driver of PostgreSQL. */
export const openPostgresql = ({ outbound, pools }: DriverContext): SqlReader =>
  pooledReader<PostgresqlSession>(
    {
      ...postgresqlSessions(outbound),
      usualPort,
      begin: ({ client }, deadline) => client.query(beginReading(deadline)),
      end: ({ client }) => client.query('rollback'),
      failure: postgresqlFailure,
      queryFailure: postgresqlQueryFailure,
      features: async ({ client }) => ({ version: `PostgreSQL ${await serverVersion(client)}`, zones: true }),
      listTables: ({ client, schema }) => listTables(client, schema),
      describeTable: ({ client }, table) => describeTable(client, table),
      describeQuery: ({ client }, sourceQuery) => describeQuery(client, sourceQuery),
      listForeignKeys: ({ client, schema }) => listForeignKeys(client, schema),
      mayWrite: ({ client }) => mayWrite(client),
      run: runOn,
      copy: copyOn,
    },
    { outbound, pools, properties, queryRules },
  );
