import type { Migration } from '../migrate.ts';
import { rebuiltTextIndex } from '../text-columns.ts';
import { searchedTables } from './0006-text-in-its-row.ts';

const searched = new Map<string, readonly string[]>([
  ...searchedTables,
  ['user', ['name', 'email']],
  ['font', ['name']],
]);

/**
 * Drops the positions of trigrams from the text indexes of SQLite, which took seconds to join for long fragments. Older
 * versions cannot search such an index.
 */
export const textIndexWithoutPositions: Migration = {
  id: 18,
  name: 'text index without positions',
  statements: (dialect) =>
    dialect === 'sqlite' ? [...searched].flatMap(([table, fields]) => rebuiltTextIndex(table, fields)) : [],
};
