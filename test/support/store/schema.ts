import type { Migration } from '../../../packages/service/src/store/migrate.ts';
import { textTable } from '../../../packages/service/src/store/text-table.ts';

/** The schema of the tests. */
export const suiteMigrations: readonly Migration[] = [
  {
    id: 1,
    name: 'thing',
    statements: (dialect) => [
      `create table thing (seq ${dialect === 'sqlite' ? 'integer primary key autoincrement' : 'bigserial primary key'}, id text not null, a text, b int, record text)`,
      'create unique index thing__id__unique on thing (id)',
      'create unique index thing__b__a__unique on thing (b, a)',
    ],
  },
  { id: 2, name: 'words', statements: (dialect) => textTable(dialect, 'thing_text', ['name', 'note']) },
];
