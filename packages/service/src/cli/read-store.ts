import { storeFile } from '../app/store/open-store.ts';
import type { Config } from '../config/config.ts';
import { PostgresConnection } from '../store/postgres/connection.ts';
import type { Rows } from '../store/secrets/sealed-keys.ts';
import { connectSqlite } from '../store/sqlite/connection.ts';
import { render, sql } from '../store/sql.ts';

const limits = { connectTimeoutMs: 5_000, statementTimeoutMs: 60_000, lockTimeoutMs: 2_000, silenceMs: 65_000 };

export interface ReadStore extends Rows {
  readonly close: () => Promise<void>;
}

export const dialectOf = ({ databaseUrl }: Config): 'sqlite' | 'postgres' =>
  databaseUrl === undefined ? 'sqlite' : 'postgres';

/** Opens the store without creating or migrating it. An embedded store must already have its file. */
export function readStore({ databaseUrl, dataDir }: Config): ReadStore {
  if (databaseUrl === undefined) {
    const connection = connectSqlite(storeFile(dataDir), { readOnly: true, busyMs: 5_000 });
    return { rows: async (statement) => connection.rows(statement), close: async () => connection.close() };
  }
  const connection = new PostgresConnection(databaseUrl, limits);
  return {
    rows: async (statement) => (await connection.query(render(statement, 'dollar'), statement.values, false)).rows,
    close: () => connection.close(),
  };
}

/** True if the store has a schema of this service, of any version. */
export async function hasSchema(store: Rows, { databaseUrl }: Config): Promise<boolean> {
  const schemaQuery =
    databaseUrl === undefined
      ? sql`select count(*) as made from sqlite_schema where name = 'schema_migration'`
      : sql`select to_regclass('schema_migration') is not null as made`;
  const [row] = await store.rows(schemaQuery);
  return row?.['made'] === 1;
}
