import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import { PostgresConnection, type Connection } from '../postgres/connection.ts';
import { migrationConnection, migrationLock } from '../postgres/migrate.ts';
import { postgresError } from '../postgres/errors.ts';
import { join, name, render, sql, type Sql } from '../sql.ts';
import type { Row } from '../store.ts';
import { CopyRefused, type CopySource, type CopyTarget } from './copy-store.ts';
import { tablesOf, type StoredTable } from './stored-tables.ts';

const connectTimeoutMs = 5_000;
/** Statements of a copy have no time limit: they may take as long as they need. */
const limits = { connectTimeoutMs, statementTimeoutMs: 0, lockTimeoutMs: 2_000, silenceMs: Infinity };
const rowsAtOnce = 200;
const maxParameters = 30_000;

const columnsOf = sql`select table_name as name, column_name as "column", data_type as type from information_schema.columns
  where table_schema = any (current_schemas(false)) order by table_name, ordinal_position`;

const others = sql`select count(*) as n from pg_stat_activity where datname = current_database()
  and application_name in ('inlay', 'inlay service') and pid <> pg_backend_pid()`;

class PostgresCopy implements CopySource {
  readonly #connection: Connection;
  /** Number of connection losses before this copy. */
  readonly #began: number;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#began = connection.ended();
  }

  async send(command: string): Promise<void> {
    await this.rows({ parts: [command], values: [] });
  }

  async rows(statement: Sql): Promise<readonly Row[]> {
    // After a loss, the connection would silently reconnect, and the copy would continue outside its transaction.
    if (this.#connection.ended() !== this.#began) throw new CopyRefused('the connection to the database broke');
    try {
      return (await this.#connection.query(render(statement, 'dollar'), statement.values, false)).rows;
    } catch (error) {
      throw postgresError(error);
    }
  }

  async tables(): Promise<readonly StoredTable[]> {
    return tablesOf(await this.rows(columnsOf));
  }

  async *read({ name: table, columns }: StoredTable): AsyncIterable<readonly Row[]> {
    const selection = sql`select ${join(columns.map(name), ', ')} from ${name(table)}`;
    await this.rows(sql`declare copied no scroll cursor for ${selection}`);
    for (;;) {
      const rows = await this.rows({ parts: [`fetch ${rowsAtOnce} from copied`], values: [] });
      if (rows.length === 0) break;
      yield rows;
    }
    await this.send('close copied');
  }

  close(): Promise<void> {
    this.#connection.drop();
    return this.#connection.close();
  }
}

/**
 * Opens the store of a database as the source of a copy. Raises CopyRefused, for example if instances use the store.
 */
export async function postgresSource(url: string): Promise<CopySource> {
  const connection = new PostgresConnection(url, limits);
  try {
    await connection.query('begin transaction isolation level repeatable read, read only', [], false);
    const source = new PostgresCopy(connection);
    // Until the copy is done, instances that start must wait.
    await source.send(migrationLock);
    const [row] = await source.rows(others);
    if (Number(row?.['n']) > 0) throw new CopyRefused('the database is in use. Stop the service first');
    return source;
  } catch (error) {
    connection.drop();
    await connection.close();
    throw error instanceof CopyRefused ? error : postgresError(error);
  }
}

class PostgresTarget extends PostgresCopy implements CopyTarget {
  readonly #emptied = new Set<string>();

  async insert({ name: table, columns }: StoredTable, rows: readonly Row[]): Promise<void> {
    if (!this.#emptied.has(table)) await this.rows(sql`delete from ${name(table)}`);
    this.#emptied.add(table);
    const names = join(columns.map(name), ', ');
    const maxRows = Math.max(1, Math.floor(maxParameters / columns.length));
    for (let at = 0; at < rows.length; at += maxRows) {
      const values = rows.slice(at, at + maxRows).map((row) => {
        const cells = columns.map((column) => sql`${row[column] ?? null}`);
        return sql`(${join(cells, ', ')})`;
      });
      await this.rows(sql`insert into ${name(table)} (${names}) overriding system value values ${join(values, ', ')}`);
    }
  }

  async finish(tables: readonly StoredTable[]): Promise<void> {
    for (const { name: table, columns } of tables) {
      if (!columns.includes('seq')) continue;
      const quotedTable = `"${table}"`;
      await this.rows(
        sql`select setval(pg_get_serial_sequence(${quotedTable}, 'seq'), coalesce(max(seq), 1), max(seq) is not null) from ${name(table)}`,
      );
    }
  }

  async publish(): Promise<void> {
    await this.send('commit');
  }
}

/** Creates a new store in an empty database as the target of a copy, in one transaction. Raises CopyRefused. */
export async function postgresTarget(url: string): Promise<CopyTarget> {
  const schema = migrationConnection(url, connectTimeoutMs);
  try {
    await schema.checkLetters();
  } finally {
    await schema.close();
  }
  const connection = new PostgresConnection(url, limits);
  try {
    await connection.query('begin', [], false);
    const target = new PostgresTarget(connection);
    await target.send(migrationLock);
    const rows = await target.rows(columnsOf);
    if (rows.length > 0)
      throw new CopyRefused(`the database has tables already (${String(rows[0]?.['name'])}): name an empty one`);
    await migrate(
      (work) =>
        work({
          dialect: 'postgres',
          rows: (statement) => target.rows(statement),
          execute: (statement) => target.send(statement),
          verify: async () => undefined,
          excludeWriters: async () => undefined,
          isUsedWithoutLease: async () => false,
        }),
      migrations,
    );
    return target;
  } catch (error) {
    connection.drop();
    await connection.close();
    throw error instanceof CopyRefused ? error : postgresError(error);
  }
}
