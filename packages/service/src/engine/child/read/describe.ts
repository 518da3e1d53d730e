import type { DuckDBConnection } from '@duckdb/node-api';
import type { EngineColumn } from '../../engine.ts';
import { keptOf } from '../kept.ts';
import { columnsOf, keptStatistics } from '../write/statistics.ts';

/**
 * The columns that a relation (quoted name or query in parentheses) gives; nothing is read of its rows.
 * `version` is the name under which it is attached where it is a dataset version, whose statistics are then told.
 */
export async function describe(
  connection: DuckDBConnection,
  relation: string,
  version: string | null,
): Promise<readonly EngineColumn[]> {
  const facts = version === null ? null : await keptStatistics(connection, version);
  const columns = await columnsOf(connection, relation);
  return columns.map(({ name, type }) => ({ name, kept: keptOf(type), nullable: true, ...facts?.get(name) }));
}
