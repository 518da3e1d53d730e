import type { DuckDBConnection } from '@duckdb/node-api';
import { rollupRows, rollupTable, type BuiltRollup, type RollupStatement } from '../../engine.ts';
import type { VersionPart } from '../../versions/parts.ts';
import { identifier } from '../quote.ts';
import type { BaseVersion } from './base.ts';

/** The rollups in a file that was copied from an earlier version are out of date. */
async function dropEarlier(connection: DuckDBConnection): Promise<void> {
  const reader = await connection.runAndReadAll(
    `select table_name from duckdb_tables() where database_name = 'target' and starts_with(table_name, '${rollupTable('')}')`,
  );
  for (const [name] of reader.getRows()) await connection.run(`drop table target.main.${identifier(String(name))}`);
}

/**
 * Writes the rollups of a version into its file, over its rows there and in `parts`. A rollup that cannot be written is
 * left out: queries then read the rows.
 */
export async function writeRollups(
  connection: DuckDBConnection,
  rollups: readonly RollupStatement[],
  version: BaseVersion | null,
  parts: readonly VersionPart[],
): Promise<readonly BuiltRollup[]> {
  await dropEarlier(connection);
  if (rollups.length === 0) return [];
  const tables = [...((await version?.tablesOf(parts)) ?? []), 'target.main."rows"'];
  const relation = tables.map((table) => `from ${table}`).join(' union all by name ');
  await connection.run(`create or replace temp view ${identifier(rollupRows)} as ${relation}`);
  const built: BuiltRollup[] = [];
  for (const { id, sql, params } of rollups) {
    const table = `target.main.${identifier(rollupTable(id))}`;
    try {
      await connection.run(`create table ${table} as ${sql}`, [...params]);
      const counted = await connection.runAndReadAll(`select count(*) from ${table}`);
      built.push({ id, rows: Number(counted.getRows()[0]?.[0]) });
    } catch (error) {
      // An interrupted ingest ends; its refusal has the reason.
      if (error instanceof Error && error.message.includes('INTERRUPT')) throw error;
    }
  }
  return built;
}
