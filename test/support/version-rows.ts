import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/** Names and types of the columns of a version file, and its rows as texts in their order. */
export interface VersionRows {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Reads the file of a dataset version, past the service. */
export async function versionRows(path: string): Promise<VersionRows> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run(`attach '${path}' as v (read_only)`);
    const reader = await connection.runAndReadAll('select columns(*)::varchar from v.main."rows"');
    const described = await connection.runAndReadAll('describe v.main."rows"');
    const texts = (row: readonly unknown[]): readonly (string | null)[] =>
      row.map((cell) => (typeof cell === 'string' ? cell : null));
    return {
      names: reader.columnNames(),
      types: described.getRows().map(([, type]) => String(type).replace(/^ENUM.*$/su, 'ENUM')),
      rows: reader.getRows().map(texts),
    };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Returns the newest version file of a dataset in the data folder of a service. */
export function versionPath(dataDir: string, datasetId: string): string {
  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes(datasetId) && path.endsWith('.duckdb'))
    .toSorted();
  const newest = files.at(-1);
  if (newest === undefined) throw new Error(`the dataset ${datasetId} has no rows`);
  return join(dataDir, newest);
}
