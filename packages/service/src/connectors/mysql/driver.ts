import type { SqlReader } from '../connector.ts';
import type { DriverContext } from '../provider.ts';
import { databaseOptions } from '../properties.ts';
import { pooledReader } from '../session/pooled-reader.ts';
import { describeQuery, describeTable, listForeignKeys, listTables, mayWrite } from './catalog.ts';
import { mysqlFailure, mysqlQueryFailure } from './failure.ts';
import { queryRules } from './query-rules.ts';
import { beginReading, runOn } from './run.ts';
import { mysqlSessions, usualPort, type MysqlSession } from './session.ts';

/** Opens the driver of MySQL and MariaDB. */
export const openMysql = ({ outbound, pools }: DriverContext): SqlReader =>
  pooledReader<MysqlSession>(
    {
      ...mysqlSessions(outbound),
      usualPort,
      begin: beginReading,
      end: ({ connection }) => connection.query('rollback'),
      failure: mysqlFailure,
      queryFailure: mysqlQueryFailure,
      features: ({ version, zones }) => Promise.resolve({ version, zones }),
      listTables: ({ connection }) => listTables(connection),
      describeTable: ({ connection }, table) => describeTable(connection, table),
      describeQuery: ({ connection }, sourceQuery) => describeQuery(connection, sourceQuery),
      listForeignKeys: ({ connection }) => listForeignKeys(connection),
      mayWrite: ({ connection }) => mayWrite(connection),
      run: runOn,
    },
    { outbound, pools, properties: databaseOptions, queryRules },
  );
