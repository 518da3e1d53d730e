import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { newPath, publish, removePart } from '../backup/backup.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import { connectSqlite, type SqliteConnection } from '../sqlite/connection.ts';
import { exclusiveSqlite } from '../sqlite/migrate.ts';
import { indexTexts } from '../sqlite/text-index.ts';
import { join, name, sql, type Sql } from '../sql.ts';
import { StoreUnavailable, type Row } from '../store.ts';
import { CopyRefused, type CopySource, type CopyTarget } from './copy-store.ts';
import { tablesOf, type StoredTable } from './stored-tables.ts';

const rowsAtOnce = 500;

const columnsOf = sql`select t.name as name, c.name as "column", lower(c.type) as type
  from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table' order by t.name, c.cid`;

const selectionOf = ({ columns, name: table }: StoredTable): Sql =>
  sql`select ${join(columns.map(name), ', ')} from ${name(table)}`;

class SqliteCopy implements CopySource {
  readonly connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.connection = connection;
  }

  async rows(statement: Sql): Promise<readonly Row[]> {
    return this.connection.rows(statement);
  }

  async tables(): Promise<readonly StoredTable[]> {
    return tablesOf(this.connection.rows(columnsOf));
  }

  async *read(table: StoredTable): AsyncIterable<readonly Row[]> {
    let rows: Row[] = [];
    for (const row of this.connection.each(selectionOf(table).parts.join(''), [])) {
      rows.push(row);
      if (rows.length < rowsAtOnce) continue;
      yield rows;
      rows = [];
    }
    yield rows;
  }

  async close(): Promise<void> {
    if (this.connection.database.isTransaction) this.connection.keyword('rollback');
    this.connection.close();
  }
}

/**
 * Opens the store in a file as the source of a copy. Raises CopyRefused, for example if another process uses the store.
 */
export async function sqliteSource(file: string): Promise<CopySource> {
  if (!existsSync(file)) throw new CopyRefused(`there is no store at ${file}`);
  let connection: SqliteConnection | undefined;
  try {
    connection = connectSqlite(file, { readOnly: false, busyMs: 0 });
    connection.keyword('pragma locking_mode = exclusive');
    connection.keyword('begin exclusive');
    return new SqliteCopy(connection);
  } catch (error) {
    connection?.close();
    if (error instanceof StoreUnavailable)
      throw new CopyRefused(`${file} is in use. Stop the service first`, { cause: error });
    throw error;
  }
}

class SqliteTarget extends SqliteCopy implements CopyTarget {
  readonly #part: string;
  readonly #file: string;
  readonly #emptied = new Set<string>();

  constructor(connection: SqliteConnection, part: string, file: string) {
    super(connection);
    this.#part = part;
    this.#file = file;
    connection.keyword('begin immediate');
  }

  async insert({ name: table, columns }: StoredTable, rows: readonly Row[]): Promise<void> {
    if (!this.#emptied.has(table)) this.connection.run(sql`delete from ${name(table)}`);
    this.#emptied.add(table);
    const names = join(columns.map(name), ', ');
    for (const row of rows) {
      const values = join(
        columns.map((column) => sql`${row[column] ?? null}`),
        ', ',
      );
      this.connection.run(sql`insert into ${name(table)} (${names}) values (${values})`);
    }
  }

  async finish(): Promise<void> {
    this.connection.keyword('commit');
    const progressQuery = sql`select text_table, until from text_indexed order by text_table`;
    for (let previousState = ''; ;) {
      indexTexts(this.connection, migrations.length);
      const currentState = JSON.stringify(this.connection.rows(progressQuery));
      if (currentState === previousState) break;
      previousState = currentState;
    }
  }

  async publish(): Promise<void> {
    // Turns off the write-ahead log, so that this file alone is the complete store. The store turns the log on again.
    this.connection.keyword('pragma journal_mode = delete');
    publish(this.#part, this.#file);
  }

  override async close(): Promise<void> {
    await super.close();
    removePart(this.#part);
  }
}

/** Creates a new store in a new file as the target of a copy. Raises CopyRefused. */
export async function sqliteTarget(file: string): Promise<CopyTarget> {
  if (existsSync(file)) throw new CopyRefused(`there is a store at ${file} already: name a folder without one`);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const part = newPath(file);
  try {
    const schema = await exclusiveSqlite(part);
    try {
      await migrate(schema.exclusively, migrations);
    } finally {
      schema.close();
    }
    return new SqliteTarget(connectSqlite(part, { readOnly: false, busyMs: 0 }), part, file);
  } catch (error) {
    removePart(part);
    throw error;
  }
}
