import type { Migration } from '../migrate.ts';
import { tableStatements } from './record-table.ts';

/** Adds a table for requests to an AI provider. */
export const airequest: Migration = {
  id: 3,
  name: 'airequest',
  statements: (dialect) =>
    tableStatements(dialect, 'airequest', { columns: { dataset_id: 'text' }, index: ['dataset_id'] }),
};
