import type { DuckDBConnection } from '@duckdb/node-api';
import { EngineProblem } from '../../engine.ts';
import { selectFault } from '../../select-fault.ts';

/**
 * Raises EngineProblem `forbidden_sql` unless the text is a single SELECT that uses only the listed tables and safe
 * functions.
 */
export async function checkSelect(connection: DuckDBConnection, sql: string, tables: readonly string[]): Promise<void> {
  const reader = await connection.runAndReadAll('select json_serialize_sql($1::VARCHAR)', [sql]);
  const text = reader.getRows()[0]?.[0];
  const fault = selectFault(typeof text === 'string' ? JSON.parse(text) : null, tables);
  if (fault !== null) throw new EngineProblem('forbidden_sql', fault);
}
