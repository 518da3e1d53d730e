import { trino as dialect } from '@inlay/query';
import type { SqlProvider } from '../provider.ts';
import { tablePath } from '../table-id.ts';
import { properties } from './properties.ts';
import { queryRules } from './query-rules.ts';
import { explain } from './statement.ts';

export const trino: SqlProvider = {
  kind: 'sql',
  name: 'trino',
  aliases: ['starburst'],
  label: 'Trino',
  description: 'A Trino cluster, version 400 or later, and what its catalogs connect to. Also Starburst.',
  properties,
  dialect,
  queryRules,
  explain,
  planMembers: {
    step: ['name'],
    table: ['table'],
    index: [],
    rows: [],
    details: ['descriptor', 'outputs', 'details', 'estimates'],
  },
  path: tablePath,
  open: async (context) => (await import('./driver.ts')).openTrino(context),
};
