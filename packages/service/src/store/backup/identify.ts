import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { connectSqlite } from '../sqlite/connection.ts';
import { sql } from '../sql.ts';

const startBytes = 64;

function startOf(file: string): Buffer {
  const handle = openSync(file, 'r');
  try {
    const start = Buffer.alloc(startBytes);
    return start.subarray(0, readSync(handle, start, 0, startBytes, 0));
  } finally {
    closeSync(handle);
  }
}

/** Describes a SQLite file. A store of this program has the table `schema_migration`. */
function describeSqlite(file: string): string {
  try {
    const connection = connectSqlite(file, { readOnly: true, busyMs: 1_000 });
    try {
      const [row] = connection.rows(
        sql`select count(*) as n from sqlite_schema where type = 'table' and name = 'schema_migration'`,
      );
      return Number(row?.['n']) === 1 ? 'a SQLite store of this program' : 'a SQLite database of another program';
    } finally {
      connection.close();
    }
  } catch {
    return 'a SQLite file that is damaged, or in use';
  }
}

/** Files that people mistake for a backup, by their first characters. */
const kinds: readonly (readonly [start: string, description: string | ((file: string) => string)])[] = [
  ['SQLite format 3\0', describeSqlite],
  ['PGDMP', 'a backup of a PostgreSQL store or database'],
  ['\u{1f}\u{8b}', 'compressed with gzip; decompress it first'],
  ['(\u{b5}/\u{fd}', 'compressed with zstd; decompress it first'],
  ['PK\u{3}\u{4}', 'a ZIP archive; extract it first'],
  ['DUCK', 'a file with rows of datasets'],
  ['--', 'SQL as text, such as pg_dump writes without --format=custom'],
];

/**
 * Describes a file that was passed as a backup, as a continuation of "it is"; null if the kind of file is unknown.
 * Raises file system errors.
 */
export function describeFile(file: string): string | null {
  const stat = statSync(file);
  if (stat.isDirectory()) return 'a folder; name the file of the backup next to its folder of rows';
  if (stat.size === 0) return 'empty';
  // DuckDB writes its magic bytes after a checksum of eight bytes.
  const text = startOf(file).toString('latin1');
  for (const [start, description] of kinds)
    if (text.startsWith(start) || (start === 'DUCK' && text.slice(8, 12) === start))
      return typeof description === 'string' ? description : description(file);
  return null;
}
