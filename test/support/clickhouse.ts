import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folders, missingClickhouse } from '../../scripts/engines/engines.ts';
import { endWithUs } from './outlive.ts';

type TextByName = Readonly<Record<string, string>>;

/** A ClickHouse of our own on 127.0.0.1, with a new data folder. */
export interface Clickhouse {
  readonly port: number;
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Runs a statement with settings of the URL and parameters of the form, and returns the body of the answer. */
  run(statement: string, settings?: TextByName, parameters?: TextByName): Promise<string>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

/** @returns why ClickHouse cannot be started here, in one sentence; undefined when it can. */
export const haveClickhouse = missingClickhouse;

/**
 * Starts a ClickHouse with a fresh data folder. It is killed and its data removed when this process exits.
 *
 * @throws Error in the words of `haveClickhouse`, or with the server's own output
 */
export async function startClickhouse({
  user = 'default',
  password = '',
}: { readonly user?: string; readonly password?: string } = {}): Promise<Clickhouse> {
  const missing = haveClickhouse();
  if (missing !== undefined) throw new Error(missing);
  const home = mkdtempSync(join(tmpdir(), 'inlay-clickhouse-'));
  const server = join(import.meta.dirname, 'clickhouse-http.py');
  const args = [server, join(home, 'data'), user, password];
  const child = spawn(join(folders().clickhouse, 'bin/python'), args, {
    cwd: home,
    env: { ...process.env, TZ: 'UTC' },
  });
  if (child.pid !== undefined) child.once('exit', endWithUs(child.pid, 'KILL', home));
  const remove = (): void => {
    child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  };
  process.once('exit', remove);
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000)));
  const exited = once(child, 'exit');
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(Number(/"port": (\d+)/.exec(chunk.toString())?.[1])));
    void exited.then(() => reject(new Error(`ClickHouse did not start:\n${output}`)));
  });
  const url = `http://127.0.0.1:${port}`;

  return {
    port,
    url,
    user,
    password,
    async run(statement, settings = {}, parameters = {}) {
      const headers = { 'x-clickhouse-user': user, 'x-clickhouse-key': password };
      const body = new FormData();
      for (const [name, value] of Object.entries({ ...parameters, query: statement })) body.set(name, value);
      const address = `${url}/?${new URLSearchParams(settings).toString()}`;
      const answer = await fetch(address, { method: 'POST', body, headers });
      const text = await answer.text();
      if (!answer.ok) throw new Error(text);
      return text;
    },
    async stop() {
      process.off('exit', remove);
      child.kill('SIGKILL');
      await exited;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
