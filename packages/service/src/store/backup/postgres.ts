import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { BackupRefused, inTheWay, inUse, newPath, noFiles, publish, untilHeld, type NamedFiles } from './backup.ts';
import { PostgresConnection, type Connection } from '../postgres/connection.ts';
import type { Rows } from '../secrets/sealed-keys.ts';
import { render } from '../sql.ts';

const limits = { connectTimeoutMs: 5_000, statementTimeoutMs: 10_000, lockTimeoutMs: 2_000, silenceMs: 15_000 };

/** No time limit for statements, since the snapshot must stay open until the database is copied. */
const snapshotLimits = { ...limits, statementTimeoutMs: 0 };

/** Environment variables of the process. PATH locates the PostgreSQL programs. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Moves the password from a url to the environment, since every user of the machine can read the arguments of a
 * process.
 */
function withoutPassword(url: string, environment: Environment): { address: string; environment: Environment } {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = '';
  return {
    address: address.href,
    environment: password === '' ? environment : { ...environment, PGPASSWORD: password },
  };
}

/** Runs a PostgreSQL program and returns its output. Raises BackupRefused with the last lines of its error output. */
function runTool(tool: string, args: readonly string[], environment: Environment): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2_000)));
    child.on('error', (error) => {
      const why =
        'code' in error && error.code === 'ENOENT'
          ? 'is not installed; it comes with the PostgreSQL client'
          : 'did not start';
      reject(new BackupRefused(`${tool} ${why}`, { cause: error }));
    });
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new BackupRefused(`${tool} failed: ${errors.trim()}`));
    });
  });
}

/**
 * Dumps the database at `url` to the new file `target` in pg_dump's custom format. Only the owner of the file can read
 * it. Needs a pg_dump of at least the server's version. Raises BackupRefused.
 */
export async function backupPostgres(
  url: string,
  target: string,
  environment: Environment,
  files: NamedFiles = noFiles,
): Promise<void> {
  if (existsSync(target)) throw new BackupRefused(`${target} exists already: name another file`);
  const to = withoutPassword(url, environment);
  const part = newPath(target);
  const connection = new PostgresConnection(url, snapshotLimits);
  try {
    closeSync(openSync(part, 'wx', 0o600));
    const snapshot = await heldSnapshot(connection, files);
    await runTool(
      'pg_dump',
      ['--format=custom', '--no-owner', '--no-privileges', `--snapshot=${snapshot}`, `--file=${part}`, to.address],
      to.environment,
    );
    await connection.query('rollback', [], false);
    await checkDump(part, 'the copy', environment);
    await files.copy();
    publish(part, target);
  } finally {
    rmSync(part, { force: true });
    await connection.close();
  }
}

/**
 * Begins a transaction and protects the files to which its snapshot refers. Returns the name of the snapshot. Raises
 * BackupRefused.
 */
async function heldSnapshot(connection: Connection, files: NamedFiles): Promise<string> {
  const send = async (text: string) => (await connection.query(text, [], false)).rows;
  const store: Rows = {
    rows: async (statement) => (await connection.query(render(statement, 'dollar'), statement.values, false)).rows,
  };
  let snapshot = '';
  await untilHeld(async () => {
    await send('begin transaction isolation level repeatable read, read only').catch((cause: unknown) => {
      throw new BackupRefused('the database cannot be reached', { cause });
    });
    const [row] = await send('select pg_export_snapshot() as snapshot');
    snapshot = String(row?.['snapshot']);
    if (await files.hold(store)) return true;
    await send('rollback');
    return false;
  });
  return snapshot;
}

async function checkDump(file: string, fileName: string, environment: Environment): Promise<void> {
  const contents = await runTool('pg_restore', ['--list', file], environment);
  if (!/ TABLE \S+ schema_migration /u.test(contents))
    throw new BackupRefused(`${fileName} is not a store of this program`);
}

/** Returns whether the database has a store, and how many other connections it has. */
async function stateOf(url: string): Promise<{ readonly taken: boolean; readonly others: number }> {
  const connection = new PostgresConnection(url, limits);
  try {
    const { rows } = await connection.query(
      `select to_regclass('schema_migration') is not null as found, (
        select count(*) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      ) as others`,
      [],
      false,
    );
    return { taken: rows[0]?.['found'] === 1, others: Number(rows[0]?.['others']) };
  } catch (error) {
    throw new BackupRefused('the database cannot be reached', { cause: error });
  } finally {
    await connection.close();
  }
}

/**
 * Restores a backup to the database at `url` in one transaction. Replaces an existing store only with `replace`. Raises
 * BackupRefused.
 */
export async function restorePostgres(
  source: string,
  url: string,
  environment: Environment,
  { replace = false }: { replace?: boolean } = {},
): Promise<void> {
  if (!existsSync(source)) throw new BackupRefused(`there is no backup at ${source}`);
  await checkDump(source, source, environment);
  const { taken: isTaken, others } = await stateOf(url);
  if (isTaken && !replace) throw new BackupRefused(inTheWay('a store in the database'));
  if (isTaken && others > 0) throw new BackupRefused(inUse('the database'));
  const targetDatabase = withoutPassword(url, environment);
  const options = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges'];
  const cleanOptions = isTaken ? ['--clean', '--if-exists'] : [];
  await runTool(
    'pg_restore',
    [...options, ...cleanOptions, `--dbname=${targetDatabase.address}`, source],
    targetDatabase.environment,
  );
}
