import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { existsSync } from 'node:fs';
import { BackupRefused } from './backup.ts';
import { describeFile } from './identify.ts';
import type { Environment } from './postgres.ts';
import { rowsBySecretKey } from '../secrets/sealed-keys.ts';
import { connectSqlite } from '../sqlite/connection.ts';
import { migrations } from '../migrations/index.ts';
import { storedVersions, type StoredVersion } from '../stored-versions.ts';
import { sql } from '../sql.ts';

/** Facts about a backup that are checked before a restore. */
export interface BackupContents {
  /** Number of rows sealed with each secret key. */
  readonly rowsBySecretKey: ReadonlyMap<string, number>;
  /** Number of the last migration of the backup's schema. */
  readonly schema: number;
  /** Dataset versions to which the backed up store refers. */
  readonly versions: readonly StoredVersion[];
}

const storeKinds = {
  sqlite: {
    own: 'a SQLite store of this program',
    other: 'a backup of a PostgreSQL store or database',
    fix: 'To restore it, set INLAY_DATABASE_URL to an empty database',
  },
  postgres: {
    own: 'a backup of a PostgreSQL store or database',
    other: 'a SQLite store of this program',
    fix: 'To restore it, unset INLAY_DATABASE_URL; "inlay store copy" then copies the store into PostgreSQL',
  },
} as const;

/** Raises BackupRefused with the path of the file unless it is a backup of this kind of store. */
function requireKind(file: string, kind: keyof typeof storeKinds): void {
  if (!existsSync(file)) throw new BackupRefused(`there is no backup at ${file}`);
  const { own: expectedKind, other: otherKind, fix } = storeKinds[kind];
  const description = describeFile(file);
  if (description === expectedKind) return;
  if (description === otherKind)
    throw new BackupRefused(
      `${file} is ${otherKind}, and the settings name ${kind === 'sqlite' ? 'a SQLite' : 'a PostgreSQL'} store. ${fix}`,
    );
  throw new BackupRefused(`${file} is not a backup of this program: it is ${description ?? 'of an unknown format'}`);
}

/** Reads facts about a backup of a SQLite store. Does not change the file. Raises BackupRefused for any other file. */
export async function sqliteContents(file: string): Promise<BackupContents> {
  requireKind(file, 'sqlite');
  let close = (): void => undefined;
  try {
    const connection = connectSqlite(file, { readOnly: true, busyMs: 1_000 });
    close = () => connection.close();
    const [schema] = connection.rows(sql`select coalesce(max(id), 0) as last from schema_migration`);
    const newest = { rowsBySecretKey: new Map(), schema: Number(schema?.['last']), versions: [] };
    // The tables of a newer schema are unknown.
    if (newest.schema > migrations.length) return newest;
    const rows = { rows: async (statement: typeof tables) => connection.rows(statement) };
    const tables = sql`select m.name as name from sqlite_schema m, pragma_table_info(m.name) c
      where m.type = 'table' and c.name = 'secret_key'`;
    const names = connection.rows(tables).map((row) => String(row['name']));
    return {
      rowsBySecretKey: await rowsBySecretKey(rows, names),
      schema: newest.schema,
      versions: await storedVersions(rows),
    };
  } catch (error) {
    throw new BackupRefused(`${file} is a SQLite store that cannot be read: it is damaged, or not whole`, {
      cause: error,
    });
  } finally {
    close();
  }
}

/** Returns the columns to read from a table of a dump. */
const columnsRead = (table: string): readonly string[] =>
  table === 'schema_migration'
    ? ['id']
    : table === 'securable'
      ? ['organization_id', 'id', 'data_version']
      : ['secret_key'];

/**
 * Reads the rows that pg_restore prints in the format of COPY, line by line. A tab is always a separator of columns.
 */
class CopyReader {
  readonly #keys = new Map<string, number>();
  readonly #versions: StoredVersion[] = [];
  #schema = 0;
  #table = '';
  /** For each column to read, its index among the columns of the table; -1 if the table does not have it. */
  #places: readonly number[] = [];

  line(text: string): void {
    const [, copiedTable, columns] = /^COPY (?:\w+\.)?"?(\w+)"? \((.*)\) FROM stdin;$/u.exec(text) ?? [];
    if (copiedTable !== undefined && columns !== undefined) {
      const allColumns = columns.split(', ');
      this.#table = copiedTable;
      this.#places = columnsRead(copiedTable).map((column) => allColumns.indexOf(column));
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

/** Reads facts about a backup of a PostgreSQL store. Needs pg_restore. Raises BackupRefused for any other file. */
export async function postgresContents(file: string, environment: Environment): Promise<BackupContents> {
  requireKind(file, 'postgres');
  const child = spawn('pg_restore', ['--data-only', '--file=-', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment,
  });
  const exitCode = new Promise<number | null>((resolve, reject) => {
    child.on('error', (cause) => {
      reject(new BackupRefused('pg_restore did not start; it comes with the PostgreSQL client', { cause }));
    });
    child.on('close', resolve);
  });
  child.stderr.resume();
  const reader = new CopyReader();
  createInterface({ input: child.stdout }).on('line', (text) => reader.line(text));
  if ((await exitCode) !== 0) throw new BackupRefused(`${file} is a damaged backup: pg_restore cannot read it`);
  const contents = reader.contents();
  if (contents.schema === 0) throw new BackupRefused(`${file} is a backup of a PostgreSQL database of another program`);
  return contents;
}
