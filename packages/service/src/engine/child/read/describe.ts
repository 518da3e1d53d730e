import type { DuckDBConnection } from '@duckdb/node-api';
import type { EngineColumn } from '../../engine.ts';
import { storageTypeOf } from '../storage-types.ts';
import { columnsOf, keptStatistics } from '../write/statistics.ts';

/**
 * Describes the columns of a relation (quoted name or query in parentheses) without reading its rows. For a dataset
 * version, `version` is its attached name, and the result includes the stored statistics; otherwise `version` is null.
 */
export async function describe(
  connection: DuckDBConnection,
  relation: string,
  version: string | null,
): Promise<readonly EngineColumn[]> {
  const facts = version === null ? null : await keptStatistics(connection, version);
  const columns = await columnsOf(connection, relation);
  return columns.map(({ name, type }) => ({
    name,
    storageType: storageTypeOf(type),
    nullable: true,
    ...facts?.get(name),
  }));
}
