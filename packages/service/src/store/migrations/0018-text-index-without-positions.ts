import type { Migration } from '../migrate.ts';
import { rebuiltTextIndex } from '../text-columns.ts';
import { searchedTables } from './0006-text-in-its-row.ts';

const searched = new Map<string, readonly string[]>([
  ...searchedTables,
  ['user', ['name', 'email']],
  ['font', ['name']],
]);

/**
 * The text indexes of SQLite had the position of every trigram, and a search for a long fragment joined them for seconds.
 * An older version cannot search such an index.
 */
export const textIndexWithoutPositions: Migration = {
  id: 18,
  name: 'text index without positions',
  statements: (dialect) =>
    dialect === 'sqlite' ? [...searched].flatMap(([table, fields]) => rebuiltTextIndex(table, fields)) : [],
};
