import { mysqlFor } from '@inlay/query';
import type { SqlProvider } from '../provider.ts';
import { databaseOptions } from '../properties.ts';
import { unqualifiedPath } from '../table-id.ts';
import { queryRules } from './query-rules.ts';

export const mysql: SqlProvider = {
  kind: 'sql',
  name: 'mysql',
  aliases: ['mariadb'],
  label: 'MySQL',
  description: 'A MySQL database, version 8 or later, or a MariaDB database, version 10.5 or later.',
  properties: databaseOptions,
  // Servers differ in collations, and convert named time zones only if their zone tables are filled.
  dialect: mysqlFor,
  queryRules,
  explain: 'explain format=json ',
  planMembers: {
    step: ['access_type'],
    table: ['table_name'],
    index: ['key'],
    rows: ['rows_examined_per_scan', 'rows'],
  },
  path: unqualifiedPath,
  open: async (context) => (await import('./driver.ts')).openMysql(context),
};
