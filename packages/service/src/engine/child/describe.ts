import type { DuckDBConnection } from '@duckdb/node-api';
import type { EngineColumn } from '../engine.ts';
import { keptOf } from './kept.ts';

/** The columns that a relation (quoted name or query in parentheses) gives; nothing is read of its rows. */
export async function describe(connection: DuckDBConnection, relation: string): Promise<readonly EngineColumn[]> {
  const statement = await connection.prepare(`from ${relation}`);
  const columns = Array.from({ length: statement.columnCount }, (_, index) => ({
    name: statement.columnName(index),
    kept: keptOf(statement.columnType(index)),
    nullable: true,
  }));
  statement.destroySync();
  return columns;
}
