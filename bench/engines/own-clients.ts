import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { createClient } from '@clickhouse/client';
import { DuckDBInstance } from '@duckdb/node-api';
import { trinoRows } from '../../test/support/trino.ts';

/** The baseline: a client that talks to the database directly. `run` replays a recorded request and reads all rows. */
export interface OwnClient {
  run(recorded: string): Promise<void>;
  close(): Promise<void>;
}

/** Writes a Parquet file of sales. */
export async function writeRows(path: string, rows: number): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(
    `copy (select n as id, 'region ' || n % 12 as region, 'product ' || n * 7 % 500 as product,
       ((n * 13 % 100000) / 100.0)::decimal(12, 2) as revenue, (n % 50)::bigint as quantity,
       timestamp '2020-01-01' + to_days((n % 2000)::integer) as day from range(${rows}) s(n)) to '${path}' (format parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
}

const sentOf = (recorded: string): { readonly path: string; readonly body: string } => JSON.parse(recorded);

/** The official client of ClickHouse, which sends the statement with its settings and bound values. */
export async function clickhouseClient(port: number): Promise<OwnClient> {
  const client = createClient({
    url: `http://127.0.0.1:${port}`,
    username: 'reader',
    password: 'secret',
    compression: { response: true },
  });
  return {
    async run(recorded) {
      const { path, body } = sentOf(recorded);
      const settings = new URL(path, 'http://localhost').searchParams;
      for (const name of ['query_id', 'user', 'password', 'enable_http_compression']) settings.delete(name);
      const { stream } = await client.exec({ query: body, clickhouse_settings: Object.fromEntries(settings) });
      let rest = '';
      for await (const piece of stream) {
        const lines = (rest + String(piece)).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) JSON.parse(line);
      }
    },
    close: () => client.close(),
  };
}

/** The protocol of Trino without anything around it. */
export const trinoClient = (port: number): OwnClient => ({
  async run(recorded) {
    const { body } = sentOf(recorded);
    await trinoRows(`http://127.0.0.1:${port}`, body.replace('"sales"', 'lake.shop."sales"'));
  },
  close: async () => undefined,
});
