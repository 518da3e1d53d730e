import type { DuckDBConnection } from '@duckdb/node-api';
import type { ChildEnd, IngestRequest } from '../messages.ts';
import type { NextBatch } from './load.ts';

/** Writes a dataset version. */
export async function ingest(
  _connection: DuckDBConnection,
  _request: IngestRequest,
  _next: NextBatch,
  _progress: (rows: number, bytes: number) => void,
): Promise<ChildEnd> {
  throw new Error('not built yet');
}
