import type { Outbound } from '../../outbound/index.ts';
import type { SqlConnector } from '../connector.ts';
import { mysqlFailure, mysqlQueryFailure } from '../failure/mysql.ts';
import { reachable, reader } from '../reading.ts';
import type { Links } from '../links.ts';
import { declaredProperties } from '../properties.ts';
import { checkSourceQuery } from '../query/check.ts';
import { stagedTest } from '../staged-test.ts';
import { describeQuery, describeTable, listForeignKeys, listTables, mayWrite, mysqlPath } from './catalog.ts';
import { usualPort, type MysqlLink } from './link.ts';
import { beginReading, runOn } from './run.ts';

/** Creates the connector for MySQL 8 and later, and MariaDB 10.5 and later. */
export function mysql(outbound: Outbound, links: Links<MysqlLink>): SqlConnector {
  const reading = reader(links, {
    begin: beginReading,
    end: ({ connection }) => connection.query('rollback'),
    explain: mysqlFailure,
  });
  return {
    kind: 'sql',
    name: 'mysql',
    dialect: 'mysql',
    label: 'MySQL',
    description: 'A MySQL or MariaDB database.',
    properties: declaredProperties.mysql,
    checkQuery: (text) => checkSourceQuery(text, 'mysql'),
    path: mysqlPath,
    test: (params, signal) =>
      stagedTest({
        reach: () => reachable(outbound, 'mysql', params, usualPort, signal),
        signIn: () => reading(params, signal, ({ encryption }) => Promise.resolve(encryption)),
        count: () => reading(params, signal, async ({ connection }) => (await listTables(connection)).length),
      }),
    tables: (params, signal) => reading(params, signal, ({ connection }) => listTables(connection)),
    async describe(params, what, signal) {
      if ('table' in what) return reading(params, signal, ({ connection }) => describeTable(connection, what.table));
      const sourceQuery = checkSourceQuery(what.query, 'mysql');
      return reading(params, signal, ({ connection }) => describeQuery(connection, sourceQuery), mysqlQueryFailure);
    },
    foreignKeys: (params, signal) => reading(params, signal, ({ connection }) => listForeignKeys(connection)),
    mayWrite: (params, signal) => reading(params, signal, ({ connection }) => mayWrite(connection)),
    features: (params, signal) => reading(params, signal, ({ version, zones }) => Promise.resolve({ version, zones })),
    async run(params, statement, limits, signal) {
      const deadline = Date.now() + limits.deadlineMs;
      return runOn(await links.lease(params, limits.deadlineMs, signal), statement, limits, deadline, signal);
    },
  };
}
