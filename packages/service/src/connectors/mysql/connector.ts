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

/** Reads MySQL 8 and MariaDB 10.5 and later. */
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
    sentence: 'A MySQL or MariaDB database.',
    properties: declaredProperties.mysql,
    checkQuery: (text) => checkSourceQuery(text, 'mysql'),
    path: mysqlPath,
    test: (reach, signal) =>
      stagedTest({
        reach: () => reachable(outbound, 'mysql', reach, usualPort, signal),
        signIn: () => reading(reach, signal, ({ encryption }) => Promise.resolve(encryption)),
        count: () => reading(reach, signal, async ({ connection }) => (await listTables(connection)).length),
      }),
    tables: (reach, signal) => reading(reach, signal, ({ connection }) => listTables(connection)),
    async describe(reach, what, signal) {
      if ('table' in what) return reading(reach, signal, ({ connection }) => describeTable(connection, what.table));
      const checked = checkSourceQuery(what.query, 'mysql');
      return reading(reach, signal, ({ connection }) => describeQuery(connection, checked), mysqlQueryFailure);
    },
    foreignKeys: (reach, signal) => reading(reach, signal, ({ connection }) => listForeignKeys(connection)),
    mayWrite: (reach, signal) => reading(reach, signal, ({ connection }) => mayWrite(connection)),
    features: (reach, signal) => reading(reach, signal, ({ version, zones }) => Promise.resolve({ version, zones })),
    async run(reach, statement, limits, signal) {
      const deadline = Date.now() + limits.deadlineMs;
      return runOn(await links.lease(reach, limits.deadlineMs, signal), statement, limits, deadline, signal);
    },
  };
}
