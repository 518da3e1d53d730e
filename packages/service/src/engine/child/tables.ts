import type { DuckDBConnection } from '@duckdb/node-api';
import type { SentTable } from '../messages.ts';
import { loadRows, type NextBatch } from './load.ts';
import { identifier, literals } from './quote.ts';

type Files = Extract<SentTable['source'], { readonly kind: 'files' }>;

const readers = {
  csv: (paths) => `read_csv(${paths}, union_by_name = true)`,
  parquet: (paths) => `read_parquet(${paths}, union_by_name = true)`,
  ndjson: (paths) => `read_json(${paths}, format = 'newline_delimited', union_by_name = true)`,
} as const satisfies Record<Files['format'], (paths: string) => string>;

/** How files are read. */
export const readFiles = ({ format, paths }: Files): string => readers[format](literals(paths));

/**
 * Makes each table visible to this connection under its name.
 * `attached` gives the name under which a version is attached, `next` the batches of the table of that index.
 */
export async function showTables(
  connection: DuckDBConnection,
  tables: readonly SentTable[],
  attached: (path: string) => Promise<string>,
  next: (table: number) => NextBatch,
): Promise<void> {
  for (const [index, { name, source }] of tables.entries()) {
    const table = identifier(name);
    if (source.kind === 'rows') await loadRows(connection, { table, temporary: true }, source.columns, next(index));
    else {
      const from = source.kind === 'file' ? `${await attached(source.path)}.main."rows"` : readFiles(source);
      await connection.run(`create temp view ${table} as from ${from}`);
    }
  }
}
