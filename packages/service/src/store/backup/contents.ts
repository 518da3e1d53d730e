import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { existsSync } from 'node:fs';
import { BackupRefused } from './backup.ts';
import type { Environment } from './postgres.ts';
import { rowsBySecretKey } from '../secrets/sealed-keys.ts';
import { connectSqlite } from '../sqlite/connection.ts';
import { storedVersions, type StoredVersion } from '../stored-versions.ts';
import { sql } from '../sql.ts';

/** What must fit before a backup is restored. */
export interface BackupContents {
  /** How many rows each secret key has sealed. */
  readonly rowsBySecretKey: ReadonlyMap<string, number>;
  /** The number of the last step of its schema. */
  readonly schema: number;
  /** The versions of datasets that it names. */
  readonly versions: readonly StoredVersion[];
}

/** Looks into a backup of a SQLite store, without changing it. Raises BackupRefused for any other file. */
export async function sqliteContents(file: string): Promise<BackupContents> {
  if (!existsSync(file)) throw new BackupRefused(`there is no backup at ${file}`);
  let close = (): void => undefined;
  try {
    const connection = connectSqlite(file, { readOnly: true, busyMs: 1_000 });
    close = () => connection.close();
    const rows = { rows: async (statement: typeof tables) => connection.rows(statement) };
    const tables = sql`select m.name as name from sqlite_schema m, pragma_table_info(m.name) c
      where m.type = 'table' and c.name = 'secret_key'`;
    const names = connection.rows(tables).map((row) => String(row['name']));
    const [schema] = connection.rows(sql`select coalesce(max(id), 0) as last from schema_migration`);
    return {
      rowsBySecretKey: await rowsBySecretKey(rows, names),
      schema: Number(schema?.['last']),
      versions: await storedVersions(rows),
    };
  } catch (error) {
    throw new BackupRefused(`${file} is not a SQLite store of this program, or cannot be read`, { cause: error });
  } finally {
    close();
  }
}

/** Columns that are read of a table in a dump. */
const columnsRead = (table: string): readonly string[] =>
  table === 'schema_migration'
    ? ['id']
    : table === 'securable'
      ? ['organization_id', 'id', 'data_version']
      : ['secret_key'];

/** Reads the rows in pg_restore's `copy` format, line by line: a tab stands between two columns and nowhere else. */
class CopyReader {
  readonly #keys = new Map<string, number>();
  readonly #versions: StoredVersion[] = [];
  #schema = 0;
  #table = '';
  /** Where the columns are that are read; -1 of one that the table does not have. */
  #places: readonly number[] = [];

  line(text: string): void {
    const [, copied, columns] = /^COPY (?:\w+\.)?"?(\w+)"? \((.*)\) FROM stdin;$/u.exec(text) ?? [];
    if (copied !== undefined && columns !== undefined) {
      const all = columns.split(', ');
      this.#table = copied;
      this.#places = columnsRead(copied).map((column) => all.indexOf(column));
    } else if (text === '\\.') {
      this.#places = [];
    } else if (this.#places.some((place) => place >= 0)) {
      const cells = text.split('\t');
      this.#row(this.#places.map((place) => cells[place] ?? '\\N'));
    }
  }

  #row(values: readonly string[]): void {
    const [first = '\\N', datasetId = '', version = '\\N'] = values;
    if (this.#table === 'schema_migration') this.#schema = Math.max(this.#schema, Number(first));
    else if (this.#table === 'securable') {
      if (version !== '\\N') this.#versions.push({ tenant: first, datasetId, version });
    } else if (first !== '\\N') {
      for (const id of first.split(',')) this.#keys.set(id, (this.#keys.get(id) ?? 0) + 1);
    }
  }

  contents(): BackupContents {
    return { rowsBySecretKey: this.#keys, schema: this.#schema, versions: this.#versions };
  }
}

/** Looks into a backup of a PostgreSQL store. Needs pg_restore. Raises BackupRefused for any other file. */
export async function postgresContents(file: string, environment: Environment): Promise<BackupContents> {
  if (!existsSync(file)) throw new BackupRefused(`there is no backup at ${file}`);
  const child = spawn('pg_restore', ['--data-only', '--file=-', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment,
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', (cause) => {
      reject(new BackupRefused('pg_restore did not start; it comes with the PostgreSQL client', { cause }));
    });
    child.on('close', resolve);
  });
  child.stderr.resume();
  const reader = new CopyReader();
  createInterface({ input: child.stdout }).on('line', (text) => reader.line(text));
  if ((await ended) !== 0) throw new BackupRefused(`${file} is not a backup of a PostgreSQL store, or is damaged`);
  const contents = reader.contents();
  if (contents.schema === 0) throw new BackupRefused(`${file} is not a store of this program`);
  return contents;
}
