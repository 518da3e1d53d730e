import { clickhouseFor } from '@inlay/query';
import type { SqlProvider } from '../provider.ts';
import { unqualifiedPath } from '../table-id.ts';
import { properties } from './properties.ts';
import { queryRules } from './query-rules.ts';

/** Last year of dates of servers that have not been asked. */
const oldestLastYear = 2299;

export const clickhouse: SqlProvider = {
  kind: 'sql',
  name: 'clickhouse',
  aliases: [],
  label: 'ClickHouse',
  description: 'A ClickHouse database, version 24.3 or later, by its HTTP interface.',
  properties,
  dialect: ({ lastYear = oldestLastYear }) => clickhouseFor({ lastYear }),
  queryRules,
  explain: 'explain json = 1, description = 0 ',
  // Descriptions of steps may contain values.
  planMembers: { step: ['Node Type'], table: [], index: [], rows: [] },
  path: unqualifiedPath,
  open: async (context) => (await import('./driver.ts')).openClickhouse(context),
};
