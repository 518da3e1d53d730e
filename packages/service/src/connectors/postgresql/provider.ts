import { postgres } from '@inlay/query';
import type { SqlProvider } from '../provider.ts';
import { tablePath } from '../table-id.ts';
import { copyDialect } from './copy-dialect.ts';
import { properties } from './properties.ts';
import { queryRules } from './query-rules.ts';

export const postgresql: SqlProvider = {
  kind: 'sql',
  name: 'postgresql',
  aliases: ['postgres'],
  label: 'PostgreSQL',
  description: 'A PostgreSQL database, version 12 or later, or one that speaks its protocol.',
  properties,
  dialect: postgres,
  copyDialect,
  queryRules,
  explain: 'explain (format json) ',
  planMembers: { step: ['Node Type'], table: ['Relation Name'], index: ['Index Name'], rows: ['Plan Rows'] },
  path: tablePath,
  open: async (context) => (await import('./driver.ts')).openPostgresql(context),
};
