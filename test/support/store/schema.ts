import type { Migration } from '../../../packages/service/src/store/migrate.ts';
import { textColumns, textIndexes } from '../../../packages/service/src/store/text-columns.ts';

/** The schema of the tests. */
export const suiteMigrations: readonly Migration[] = [
  {
    id: 1,
    name: 'thing',
    statements: (dialect) => [
      `create table thing (seq ${dialect === 'sqlite' ? 'integer primary key' : 'bigserial primary key'},
        id text not null, a text, b int, record text)`,
      'create unique index thing__id__unique on thing (id)',
      'create unique index thing__b__a__unique on thing (b, a)',
    ],
  },
  {
    id: 2,
    name: 'words',
    statements: (dialect) => [
      ...textColumns('thing', ['name', 'note']),
      ...textIndexes(dialect, 'thing', ['name', 'note']),
    ],
  },
];
