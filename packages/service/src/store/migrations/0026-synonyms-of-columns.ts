import type { Migration } from '../migrate.ts';
import { addedTextColumn } from '../text-columns.ts';

/** Adds the synonyms of columns to the texts that searches find. The service adds the field when it reads a record. */
export const synonymsOfColumns: Migration = {
  id: 26,
  name: 'synonyms of columns',
  statements: (dialect) => [
    ...addedTextColumn(dialect, 'column', ['name', 'description'], 'synonyms'),
    'update "column" set shape = 0',
  ],
};
