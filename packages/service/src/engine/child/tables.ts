import type { DuckDBConnection } from '@duckdb/node-api';
import { rollupTable, type FilesSource, type TextSource } from '../engine.ts';
import type { SentTable } from '../messages.ts';
import { loadRows } from './write/load.ts';
import { identifier } from './quote.ts';
import { makeSame } from './same.ts';
import type { NextBatch } from './write/stage-rows.ts';
import type { AttachedVersion } from './versions.ts';

/** Returns the relation that reads the files of a source. */
export type RelationOf = (source: FilesSource) => string;

/** Wraps a user query so that it sees its files under their names. Other queries cannot see these names. */
function withFiles({ sql, tables }: TextSource, relationOf: RelationOf): string {
  const names = tables.map(
    ({ name, source }) => `${identifier(name)} as not materialized (from ${relationOf(source)})`,
  );
  return `${names.length === 0 ? '' : `with ${names.join(', ')} `}select * from (${sql}\n)`;
}

/** Attached dataset versions by path. */
export type AttachedVersions = ReadonlyMap<string, AttachedVersion>;

/** Returns the version of a table; undefined if the table has another source. */
const versionOf = ({ source }: SentTable, attachedVersions: AttachedVersions): AttachedVersion | undefined =>
  source.kind === 'file' ? attachedVersions.get(source.path) : undefined;

/** Returns the relation of a table; undefined if it is no version. */
function relationOfVersion(table: SentTable, attachedVersions: AttachedVersions): string | undefined {
  const version = versionOf(table, attachedVersions);
  if (version === undefined || table.source.kind !== 'file') return undefined;
  const { rollup } = table.source;
  return rollup === undefined ? version.relation : `${version.name}.main.${identifier(rollupTable(rollup))}`;
}

/**
 * Makes each table visible on this connection under its name. `next` returns the batches of the table with an index.
 */
export async function showTables(
  connection: DuckDBConnection,
  tables: readonly SentTable[],
  attachedVersions: AttachedVersions,
  next: (table: number) => NextBatch,
  relationOf: RelationOf,
): Promise<void> {
  for (const [index, tableEntry] of tables.entries()) {
    const { name, source } = tableEntry;
    const table = identifier(name);
    if (source.kind === 'rows') await loadRows(connection, table, source.columns, next(index));
    else {
      const from =
        source.kind === 'file'
          ? (relationOfVersion(tableEntry, attachedVersions) ?? '')
          : source.kind === 'text'
            ? `(${withFiles(source, relationOf)})`
            : relationOf(source);
      await connection.run(`create temp view ${table} as from ${from}`);
    }
  }
}

/**
 * Defines the functions of these tables that a statement uses. Skips functions that are already defined, which
 * `madeFunctions` records.
 */
export async function showFunctions(
  connection: DuckDBConnection,
  tables: readonly SentTable[],
  attachedVersions: AttachedVersions,
  sql: string,
  madeFunctions: Map<string, string>,
): Promise<void> {
  for (const table of tables) {
    const version = versionOf(table, attachedVersions);
    if (version !== undefined) await makeSame(connection, table.name, version, sql, madeFunctions);
  }
}

/** Returns a key for the connections that can be reused for these tables; null if connections cannot be reused. */
export const keyOf = (tables: readonly SentTable[], attachedVersions: AttachedVersions): string | null =>
  tables.every((table) => versionOf(table, attachedVersions) !== undefined)
    ? JSON.stringify(tables.map((table) => [table.name, relationOfVersion(table, attachedVersions)]))
    : null;
