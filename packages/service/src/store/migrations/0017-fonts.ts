import type { Migration } from '../migrate.ts';
import { tableStatements } from './record-table.ts';

export const fonts: Migration = {
  id: 17,
  name: 'fonts',
  statements: (dialect) => tableStatements(dialect, 'font', { searched: ['name'] }),
};
