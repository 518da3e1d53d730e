import type { DuckDBConnection } from '@duckdb/node-api';
import type { FilesSource, TextSource } from '../engine.ts';
import type { SentTable } from '../messages.ts';
import { loadRows } from './write/load.ts';
import { identifier } from './quote.ts';
import { makeSame } from './same.ts';
import type { NextBatch } from './write/stage-rows.ts';
import type { AttachedVersion } from './versions.ts';

/** What reads the files of a source. */
export type RelationOf = (source: FilesSource) => string;

/** The files of a text as names of its own, which nothing beside it sees. */
function withFiles({ sql, tables }: TextSource, relationOf: RelationOf): string {
  const names = tables.map(
    ({ name, source }) => `${identifier(name)} as not materialized (from ${relationOf(source)})`,
  );
  return `${names.length === 0 ? '' : `with ${names.join(', ')} `}select * from (${sql}\n)`;
}

/** Dataset versions that are attached, by their paths. */
export type AttachedVersions = ReadonlyMap<string, AttachedVersion>;

/** The version behind a table; undefined where its rows are elsewhere. */
const versionOf = ({ source }: SentTable, attached: AttachedVersions): AttachedVersion | undefined =>
  source.kind === 'file' ? attached.get(source.path) : undefined;

/** Makes each table visible to this connection under its name; `next` gives the batches of the table of that index. */
export async function showTables(
  connection: DuckDBConnection,
  tables: readonly SentTable[],
  attached: AttachedVersions,
  next: (table: number) => NextBatch,
  relationOf: RelationOf,
): Promise<void> {
  for (const [index, shown] of tables.entries()) {
    const { name, source } = shown;
    const table = identifier(name);
    if (source.kind === 'rows') await loadRows(connection, table, source.columns, next(index));
    else {
      const from =
        source.kind === 'file'
          ? (versionOf(shown, attached)?.relation ?? '')
          : source.kind === 'text'
            ? `(${withFiles(source, relationOf)})`
            : relationOf(source);
      await connection.run(`create temp view ${table} as from ${from}`);
    }
  }
}

/** Makes the functions of these tables that a statement names; `made` are those that the connection has. */
export async function showFunctions(
  connection: DuckDBConnection,
  tables: readonly SentTable[],
  attached: AttachedVersions,
  sql: string,
  made: Map<string, string>,
): Promise<void> {
  for (const table of tables) {
    const version = versionOf(table, attached);
    if (version !== undefined) await makeSame(connection, table.name, version, sql, made);
  }
}

/** What stands for these tables, where a connection that sees them serves the next statement as well; else null. */
export const keyOf = (tables: readonly SentTable[], attached: AttachedVersions): string | null =>
  tables.every((table) => versionOf(table, attached) !== undefined)
    ? JSON.stringify(tables.map((table) => [table.name, versionOf(table, attached)?.relation]))
    : null;
