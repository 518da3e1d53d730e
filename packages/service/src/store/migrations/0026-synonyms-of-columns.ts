import type { Migration } from '../migrate.ts';
import { addedTextColumn } from '../text-columns.ts';
import { recordLast } from './0006-text-in-its-row.ts';

/** Adds the synonyms of columns to the texts that searches find. The service adds the field when it reads a record. */
export const synonymsOfColumns: Migration = {
  id: 26,
  name: 'synonyms of columns',
  statements: (dialect) => [
    ...addedTextColumn(dialect, 'column', ['name', 'description'], 'synonyms'),
    ...(dialect === 'sqlite' ? recordLast('column') : []),
    'update "column" set shape = 0',
  ],
};
