import type { Migration } from '../migrate.ts';
import { rebuiltTextIndex } from '../text-columns.ts';
import { searchedTables } from './0006-text-in-its-row.ts';

const searched = new Map<string, readonly string[]>([
  ...searchedTables,
  ['user', ['name', 'email']],
  ['font', ['name']],
]);

/**
 * Removes the positions of trigrams from the text indexes of SQLite: for long fragments, joining the positions took
 * seconds. Older versions of the program cannot search the new indexes.
 */
export const textIndexWithoutPositions: Migration = {
  id: 18,
  name: 'text index without positions',
  statements: (dialect) =>
    dialect === 'sqlite' ? [...searched].flatMap(([table, fields]) => rebuiltTextIndex(table, fields)) : [],
};
