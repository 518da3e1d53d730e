import type { FilesProvider } from '../provider.ts';

export const files: FilesProvider = {
  kind: 'files',
  name: 'duckdb',
  aliases: [],
  label: 'Files',
  description: 'CSV, Parquet and NDJSON files, and folders of them, in a folder that the operator allows.',
  properties: {},
  open: async (context) => (await import('./driver.ts')).openFiles(context),
};
