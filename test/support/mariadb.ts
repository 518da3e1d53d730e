import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { freePort } from './free-port.ts';
import { endWithUs } from './outlive.ts';

/** A MariaDB server of our own on 127.0.0.1, with a new data folder. */
export interface Mariadb {
  readonly port: number;
  /** A user who may do everything, without password. */
  readonly user: 'root';
  /** Creates a user who may do everything, with a password. */
  createUser(name: string, password: string): Promise<void>;
  /** Creates an empty database and returns its name. */
  createDatabase(): Promise<string>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

const readyLimitMs = 20_000;
const folders = (): readonly string[] => [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin'];
const find = (program: string): string | undefined =>
  folders()
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));

/** @returns why a MariaDB server cannot be started here, in plain words; undefined when it can. */
export const haveMariadb = (): string | undefined =>
  find('mariadbd') === undefined || find('mariadb-install-db') === undefined
    ? 'MariaDB is not installed (mariadbd and mariadb-install-db are not on PATH)'
    : undefined;

const untilReady = async (port: number, child: ChildProcess, output: () => string): Promise<void> => {
  const deadline = Date.now() + readyLimitMs;
  while (child.exitCode === null && Date.now() < deadline) {
    try {
      const connection = await createConnection({ host: '127.0.0.1', port, user: 'root', connectTimeout: 2000 });
      await connection.end();
      return;
    } catch {
      await sleep(20);
    }
  }
  throw new Error(`MariaDB did not start:\n${output()}`);
};

/**
 * Starts a MariaDB server with a fresh data folder. It is killed and its data removed when this process exits.
 *
 * @param options.flags further options of the server, such as `--ssl-cert=…`
 * @throws Error saying why not, in the words of `haveMariadb`, or with the server's own output
 */
export const startMariadb = async ({ flags: more = [] }: { flags?: readonly string[] } = {}): Promise<Mariadb> => {
  const [server, install] = [find('mariadbd'), find('mariadb-install-db')];
  if (server === undefined || install === undefined) throw new Error(haveMariadb());
  const home = mkdtempSync(join(tmpdir(), 'inlay-mariadb-'));
  const data = join(home, 'data');
  const as = ['--no-defaults', `--user=${userInfo().username}`, `--datadir=${data}`];
  await promisify(execFile)(install, [...as, '--auth-root-authentication-method=normal', '--skip-test-db']);

  const port = await freePort();
  const listen = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(home, 's')}`, '--skip-name-resolve'];
  const speed = ['--innodb-flush-log-at-trx-commit=0', '--skip-log-bin', '--innodb-buffer-pool-size=64M'];
  const child = spawn(server, [...as, ...listen, ...speed, ...more], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000)));
  if (child.pid !== undefined) child.once('exit', endWithUs(child.pid, 'KILL', home));
  const abandon = (): void => {
    child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  };
  process.once('exit', abandon);
  await untilReady(port, child, () => output);

  let databases = 0;
  return {
    port,
    user: 'root',
    async createDatabase() {
      const name = `inlay_${(databases += 1)}`;
      const connection = await createConnection({ host: '127.0.0.1', port, user: 'root' });
      try {
        await connection.query(`create database ${name} character set utf8mb4`);
        return name;
      } finally {
        await connection.end();
      }
    },
    async createUser(name, password) {
      const connection = await createConnection({ host: '127.0.0.1', port, user: 'root' });
      try {
        await connection.query('grant all on *.* to ?@? identified by ?', [name, '127.0.0.1', password]);
      } finally {
        await connection.end();
      }
    },
    async stop() {
      process.off('exit', abandon);
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      rmSync(home, { recursive: true, force: true });
    },
  };
};
