import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { existsSync } from 'node:fs';
import { BackupRefused } from './backup.ts';
import type { Environment } from './postgres.ts';
import { rowsBySecretKey } from '../secrets/sealed-keys.ts';
import { connectSqlite } from '../sqlite/connection.ts';
import { sql } from '../sql.ts';

/** What must fit before a backup is restored. */
export interface BackupContents {
  /** How many rows each secret key has sealed. */
  readonly rowsBySecretKey: ReadonlyMap<string, number>;
  /** The number of the last step of its schema. */
  readonly schema: number;
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
    return { rowsBySecretKey: await rowsBySecretKey(rows, names), schema: Number(schema?.['last']) };
  } catch (error) {
    throw new BackupRefused(`${file} is not a SQLite store of this program, or cannot be read`, { cause: error });
  } finally {
    close();
  }
}

/** Reads the rows in pg_restore's `copy` format, line by line: a tab stands between two columns and nowhere else. */
function copyReader() {
  const keys = new Map<string, number>();
  let schema = 0;
  let table = '';
  let at = -1;
  return {
    line(text: string): void {
      const [, copied, columns] = /^COPY (?:\w+\.)?"?(\w+)"? \((.*)\) FROM stdin;$/u.exec(text) ?? [];
      if (copied !== undefined && columns !== undefined) {
        table = copied;
        at = columns.split(', ').indexOf(table === 'schema_migration' ? 'id' : 'secret_key');
      } else if (text === '\\.') {
        at = -1;
      } else if (at >= 0) {
        const value = text.split('\t')[at] ?? '\\N';
        if (table === 'schema_migration') schema = Math.max(schema, Number(value));
        else if (value !== '\\N') for (const id of value.split(',')) keys.set(id, (keys.get(id) ?? 0) + 1);
      }
    },
    contents: (): BackupContents => ({ rowsBySecretKey: keys, schema }),
  };
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
  const reader = copyReader();
  createInterface({ input: child.stdout }).on('line', (text) => reader.line(text));
  if ((await ended) !== 0) throw new BackupRefused(`${file} is not a backup of a PostgreSQL store, or is damaged`);
  const contents = reader.contents();
  if (contents.schema === 0) throw new BackupRefused(`${file} is not a store of this program`);
  return contents;
}
