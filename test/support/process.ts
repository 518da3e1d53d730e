import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { awakeClock } from './awake.ts';
import { freePort } from './free-port.ts';
import { endWithUs } from './outlive.ts';

/** The service as an operator runs it: a process of its own. */
export interface ServiceProcess {
  /** Base address, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  /** Everything written to standard output and error so far. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** Asks the service to end and waits; -1 when a signal ended it. A data folder made by `startService` is removed. */
  stop(): Promise<number>;
  /** Settles with the exit code when the process has ended, null when a signal ended it. */
  readonly exited: Promise<number | null>;
}

export interface ServiceOptions {
  /** Settings as environment variables; undefined removes one that is inherited. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly port?: number;
  /** How long to wait for readiness, in milliseconds. */
  readonly readyLimitMs?: number;
  /** A program to start the service with, such as `['strace', '-f', '-o', 'trace']`. */
  readonly prefix?: readonly string[];
  /** The program run instead of the service's own. */
  readonly main?: string;
  /** Starts on a store without tables, as a first start does. */
  readonly isFirstStart?: true;
}

/**
 * Puts the tables of the service into a data folder without a store. Migrating an empty one takes as much time as the rest
 * of a start. Outside a test run, as in benchmarks, there are no tables to put.
 */
function putTables(dataDir: string): void {
  const tables = process.env['STORE_WITH_TABLES'];
  const folder = join(dataDir, 'store');
  if (tables === undefined || existsSync(folder)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  copyFileSync(tables, join(folder, basename(tables)));
}

/** What `npm start` and `npx inlay` run: what was built, or the sources where they are newer. */
export const inlayProgram = join(import.meta.dirname, '../../packages/service/bin/inlay.mjs');
const stopLimitMs = 20_000;

const isReady = async (url: string): Promise<boolean> => {
  try {
    // The service waits at its stop for idle connections: this one is not kept open.
    const headers = { connection: 'close' };
    const answer = await fetch(`${url}/readyz`, { headers, signal: AbortSignal.timeout(5_000) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
};

/**
 * Starts the service and waits until `GET /readyz` answers 200. It is killed when this process exits.
 *
 * @throws Error with the service's output, when it ends or does not become ready in time
 */
export const startService = async (options: ServiceOptions): Promise<ServiceProcess> => {
  const { env, readyLimitMs = 60_000, prefix = [], main = inlayProgram } = options;
  const port = options.port ?? (await freePort());
  const ownDataDir = env['INLAY_DATA_DIR'] === undefined;
  const dataDir = env['INLAY_DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'inlay-service-'));
  if (main === inlayProgram && env['INLAY_DATABASE_URL'] === undefined && options.isFirstStart !== true)
    putTables(dataDir);
  const [program, ...args] = [...prefix, process.execPath, main, 'start'];
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...process.env, INLAY_DEMO: 'false', ...env, INLAY_PORT: String(port), INLAY_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const removeData = (): void => {
    if (ownDataDir) rmSync(dataDir, { recursive: true, force: true });
  };
  const abandon = (): void => {
    child.kill('SIGKILL');
    removeData();
  };
  process.once('exit', abandon);
  if (child.pid !== undefined) child.once('exit', endWithUs(child.pid, 'KILL', ownDataDir ? dataDir : undefined));
  const exited = new Promise<number | null>((resolve) => {
    child.once('error', (error) => (output += `${error.message}\n`));
    child.once('close', (code) => {
      process.off('exit', abandon);
      resolve(code);
    });
  });

  const url = `http://127.0.0.1:${port}`;
  const ended = { now: false };
  void exited.then(() => (ended.now = true));
  const clock = awakeClock();
  for (; !(await isReady(url)); await sleep(20)) {
    if (!ended.now && clock.passedMs() < readyLimitMs) continue;
    clock.stop();
    const why = ended.now ? `ended with ${await exited}` : `was not ready after ${readyLimitMs} ms`;
    abandon();
    // Somebody else took the port between choosing it and listening.
    if (options.port === undefined && output.includes('EADDRINUSE')) return startService(options);
    throw new Error(`The service ${why}:\n${output}`);
  }
  clock.stop();

  return {
    url,
    port,
    pid: child.pid ?? 0,
    dataDir,
    exited,
    output: () => output,
    kill: (signal) => void child.kill(signal),
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
      const code = await exited;
      clearTimeout(timer);
      removeData();
      return code ?? -1;
    },
  };
};
