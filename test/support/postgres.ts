import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { awakeClock } from './awake.ts';
import { freePort } from './free-port.ts';
import { endWithUs } from './outlive.ts';

/** A PostgreSQL server of our own on 127.0.0.1, with a new data folder. */
export interface Postgres {
  readonly port: number;
  /** Process id of the server; another one after a restart. */
  readonly pid: number;
  /** Connection string for a superuser; the database is `postgres` unless named. */
  url(database?: string): string;
  /** Creates an empty database and returns its connection string. */
  createDatabase(): Promise<string>;
  /** Ends every session (as `pg_ctl restart -m fast` does) and starts again on the same port and data. */
  restart(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

interface Runner {
  readonly uid?: number;
  readonly gid?: number;
}

const readyLimitMs = 60_000;
const stopLimitMs = 20_000;

const binaries = (): string | undefined => {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...versions.map((v) => join(debian, v, 'bin'))];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
};

/** Returns the server refuses to run as root: root runs it as the user `postgres`, anyone else as themselves. */
const runner = (): Runner | undefined => {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
};

/** @returns why a PostgreSQL server cannot be started here, in plain words; undefined when it can. */
export const havePostgres = (): string | undefined => {
  if (binaries() === undefined) return 'PostgreSQL is not installed (neither on PATH nor under /usr/lib/postgresql)';
  if (runner() === undefined) return 'PostgreSQL does not run as root and there is no user named postgres';
  return undefined;
};

const untilReady = async (url: string, child: ChildProcess, output: () => string): Promise<void> => {
  const clock = awakeClock();
  while (child.exitCode === null && clock.passedMs() < readyLimitMs) {
    const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => undefined });
    try {
      await sql`select 1`;
      return clock.stop();
    } catch {
      await sleep(10);
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
  clock.stop();
  throw new Error(`PostgreSQL did not start:\n${output()}`);
};

/**
 * Starts a PostgreSQL server with a fresh data folder. It is killed and its data removed when this process exits.
 *
 * @param options.fsync true to have commits reach the disk as in production; off by default, which is faster
 * @throws Error saying why not, in the words of `havePostgres`, or with the server's own output
 */
export const startPostgres = async ({ fsync = false }: { fsync?: boolean } = {}): Promise<Postgres> => {
  const folder = binaries();
  const as = runner();
  if (folder === undefined || as === undefined) throw new Error(havePostgres());
  const home = mkdtempSync(join(tmpdir(), 'inlay-postgres-'));
  if (as.uid !== undefined && as.gid !== undefined) chownSync(home, as.uid, as.gid);
  const data = join(home, 'data');
  const initdb = ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  await promisify(execFile)(join(folder, 'initdb'), initdb, { ...as, cwd: home });

  const port = await freePort();
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: home, max_connections: '200' };
  const speed = fsync ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  const flags = Object.entries({ ...settings, ...speed }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const url = (database = 'postgres'): string => `postgres://postgres@127.0.0.1:${port}/${database}`;

  const launch = async (): Promise<ChildProcess> => {
    let output = '';
    const args = ['-D', data, '-p', String(port), ...flags];
    const child = spawn(join(folder, 'postgres'), args, { ...as, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000)));
    if (child.pid !== undefined) child.once('exit', endWithUs(child.pid, 'QUIT', home));
    await untilReady(url(), child, () => output);
    return child;
  };
  const end = async (child: ChildProcess): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGINT');
    await Promise.race([exited, sleep(stopLimitMs, undefined, { ref: false })]);
    child.kill('SIGQUIT');
  };

  let server = await launch();
  let databases = 0;
  const abandon = (): void => {
    server.kill('SIGQUIT');
    rmSync(home, { recursive: true, force: true });
  };
  process.once('exit', abandon);

  return {
    port,
    get pid() {
      return server.pid ?? 0;
    },
    url,
    async createDatabase() {
      const name = `inlay_${(databases += 1)}`;
      const sql = postgres(url(), { max: 1, onnotice: () => undefined });
      try {
        await sql.unsafe(`create database ${name}`);
        return url(name);
      } finally {
        await sql.end();
      }
    },
    async restart() {
      await end(server);
      server = await launch();
    },
    async stop() {
      process.off('exit', abandon);
      await end(server);
      rmSync(home, { recursive: true, force: true });
    },
  };
};
