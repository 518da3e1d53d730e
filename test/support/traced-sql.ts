import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { canTrace } from './installed.ts';
import type { Outcome, Told } from './run-hostile-sql.ts';

/** What stands in every file that must not be read. */
export const canary = 'canary-of-a-file-outside';
export const sqlDeadlineMs = 1500;

/** Whether what the engine asks of the system can be seen here. */
export const tracing = canTrace();

/** What hostile statements left behind. */
export interface Seen {
  readonly told: Told;
  readonly outcomes: readonly Outcome[];
  /** Requests that arrived at a listener that must hear nothing. */
  readonly heard: readonly string[];
  /** Names in the folder outside, and what the other tenant's dataset holds. */
  readonly outside: readonly string[];
  readonly foreign: string;
  /** Files that the engine opened though they are none of its own, connections it made, programs it started; empty where not traced. */
  readonly opened: readonly string[];
  readonly connected: readonly string[];
  readonly started: readonly string[];
}

const calls = 'open,openat,openat2,creat,connect,socket,execve,unlink,unlinkat,rename,mkdir';
const repository = join(import.meta.dirname, '../..');

function readTrace(trace: string, { dataDir, foreign }: Told): Pick<Seen, 'opened' | 'connected' | 'started'> {
  const lines = readFileSync(trace, 'utf8').split('\n');
  const from = lines.findIndex((line) => line.includes('child/start.mjs'));
  if (from <= 0) throw new Error('the engine was not traced');
  const after = lines.slice(from);
  const opened = after.flatMap((line) => /\b(?:open|openat|openat2|creat)\([^"]*"([^"]*)"/u.exec(line)?.[1] ?? []);
  const ofTheSystem = ['/lib', '/usr', '/etc/ld.so', '/etc/ssl/openssl.cnf', '/proc/', '/sys/', '/dev/'];
  const modules = join(realpathSync(join(repository, 'node_modules', '@duckdb')), '..');
  const known = [dataDir, repository, modules, join(tmpdir(), 'node-compile-cache'), ...ofTheSystem];
  const strange = (path: string): boolean =>
    !known.some((start) => path.startsWith(start)) || path.includes('environ') || path === foreign;
  return {
    opened: [...new Set(opened.filter(strange))],
    connected: after.filter((line) => /\bconnect\(|AF_INET/u.test(line)),
    started: after.filter((line) => /execve\(/u.test(line) && !/execve\("[^"]*(?:\/sh|\/node)"/u.test(line)),
  };
}

/**
 * Runs hostile statements on a real engine in a process of its own, watched from outside.
 *
 * @param made how many the grammar makes, of which seed; 0 for the lists of statements
 */
export async function runTraced(made: number, seed = 0): Promise<Seen> {
  const root = mkdtempSync(join(tmpdir(), 'inlay-user-sql-'));
  const [outside, dataDir, trace] = [join(root, 'outside'), join(root, 'data'), join(root, 'trace')];
  const heard: string[] = [];
  const listener = createServer((request, response) => {
    heard.push(request.url ?? '');
    response.end();
  });
  try {
    for (const folder of [outside, join(dataDir, 'datasets', 'there', 'ds')]) mkdirSync(folder, { recursive: true });
    const foreign = join(dataDir, 'datasets', 'there', 'ds', 'v1.duckdb');
    const [csv, foreignCsv] = [join(dataDir, 't.csv'), join(dataDir, 'there.csv')];
    writeFileSync(csv, 'id,name\n1,a\n2,b\n');
    writeFileSync(foreignCsv, `word\n${canary}\n`);
    writeFileSync(join(outside, 'secret.csv'), `column0\n${canary}\n`);
    writeFileSync(foreign, canary);
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const address = listener.address();
    const url = `127.0.0.1:${(typeof address === 'object' ? address : null)?.port ?? 0}`;
    const file = join(outside, 'secret.csv');
    const told: Told = {
      dataDir,
      csv,
      foreignCsv,
      file,
      foreign,
      url,
      made,
      seed,
      folder: outside,
      deadlineMs: sqlDeadlineMs,
    };
    const program = [process.execPath, join(import.meta.dirname, 'hostile-sql-program.mjs'), JSON.stringify(told)];
    const watched = ['strace', '-f', '--seccomp-bpf', '-s', '4000', '-e', `trace=${calls}`, '-o', trace];
    const [command = '', ...args] = tracing ? [...watched, ...program] : program;
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const outcomes: Outcome[] = [];
    for await (const line of createInterface({ input: child.stdout })) outcomes.push(JSON.parse(line));
    return {
      told,
      outcomes,
      heard,
      outside: readdirSync(outside),
      foreign: readFileSync(foreign, 'utf8'),
      ...(tracing ? readTrace(trace, told) : { opened: [], connected: [], started: [] }),
    };
  } finally {
    listener.close();
    rmSync(root, { recursive: true, force: true });
  }
}
