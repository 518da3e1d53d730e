import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { never, startTestEngine } from '../support/engine.ts';
import { heavyStatements, hostileStatements, ordinaryQueries } from '../support/hostile-sql.ts';
import type { Outcome, Told } from '../support/run-hostile-sql.ts';

const canary = 'canary-of-a-file-outside';
const deadlineMs = 1500;

const root = mkdtempSync(join(tmpdir(), 'inlay-user-sql-'));
const outside = join(root, 'outside');
const dataDir = join(root, 'data');
const trace = join(root, 'trace');
const heard: string[] = [];
const listener = createServer((request, response) => {
  heard.push(request.url ?? '');
  response.end();
});
const seen: { outcomes: Outcome[]; told?: Told } = { outcomes: [] };

const canTrace = (): boolean => {
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const tracing = canTrace();

beforeAll(async () => {
  for (const folder of [outside, join(dataDir, 'datasets', 'there', 'ds')]) mkdirSync(folder, { recursive: true });
  const csv = join(root, 'data', 't.csv');
  writeFileSync(csv, 'id,name\n1,a\n2,b\n');
  writeFileSync(join(outside, 'secret.csv'), `column0\n${canary}\n`);
  writeFileSync(join(dataDir, 'datasets', 'there', 'ds', 'v1.duckdb'), canary);
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  const port = (typeof address === 'object' ? address : null)?.port ?? 0;
  seen.told = {
    dataDir,
    csv,
    deadlineMs,
    file: join(outside, 'secret.csv'),
    folder: outside,
    foreign: join(dataDir, 'datasets', 'there', 'ds', 'v1.duckdb'),
    url: `127.0.0.1:${port}`,
  };
  const program = [
    process.execPath,
    join(import.meta.dirname, '../support/hostile-sql-program.mjs'),
    JSON.stringify(seen.told),
  ];
  const calls = 'open,openat,openat2,creat,connect,socket,execve,unlink,unlinkat,rename,mkdir';
  const command = tracing ? ['strace', '-f', '-s', '4000', '-e', `trace=${calls}`, '-o', trace, ...program] : program;
  const child = spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) seen.outcomes.push(JSON.parse(line));
}, 240_000);

afterAll(() => {
  listener.close();
  rmSync(root, { recursive: true, force: true });
});

const of = (how: Outcome['how']): readonly Outcome[] => seen.outcomes.filter((outcome) => outcome.how === how);

describe('the query of a person', () => {
  it('is refused when it is one of at least 150 hostile ones', () => {
    expect(of('checked').length).toBeGreaterThanOrEqual(150);
    expect(of('checked')).toHaveLength(seen.told === undefined ? -1 : hostileStatements(seen.told).length);
    expect(of('checked').filter(({ cause }) => cause !== 'forbidden_sql' && cause !== 'sql')).toEqual([]);
    expect(of('checked').filter(({ cause }) => cause === 'sql').length).toBeLessThan(5);
  });

  it('may be any ordinary SELECT over the tables of its source', async () => {
    const engine = startTestEngine();
    const refused = [];
    for (const sql of ordinaryQueries)
      refused.push(await engine.checkSelect(sql, ['t', 'Other Table'], never).then(() => null, String));
    await engine.stop();
    expect(refused.filter((fault) => fault !== null)).toEqual([]);
  });

  it('reaches no file, setting or other tenant even where the check would let it through', () => {
    const answers = of('unchecked').flatMap(({ answer }) => answer ?? []);
    expect(answers.filter((answer) => answer.includes(canary))).toEqual([]);
    expect(of('unchecked').filter(({ cause }) => cause === 'failed')).toEqual([]);
    expect(readdirSync(outside)).toEqual(['secret.csv']);
    expect(readFileSync(join(dataDir, 'datasets', 'there', 'ds', 'v1.duckdb'), 'utf8')).toBe(canary);
    expect(heard).toEqual([]);
  });

  it('ends by the deadline and a second, however much it asks for', () => {
    expect(of('heavy')).toHaveLength(heavyStatements.length);
    expect(seen.outcomes.filter(({ ms }) => ms > deadlineMs + 1000)).toEqual([]);
  });

  it('leaves an engine that answers', () => {
    expect(seen.outcomes.filter(({ stillAnswers }) => !stillAnswers)).toEqual([]);
  });

  it.skipIf(!tracing)('opens no file outside the work folder, connects to nothing and starts nothing', () => {
    const lines = readFileSync(trace, 'utf8').split('\n');
    const started = lines.findIndex((line) => line.includes('child/start.mjs'));
    expect(started).toBeGreaterThan(0);
    const after = lines.slice(started);
    const opened = after.flatMap((line) => /\b(?:open|openat|openat2|creat)\([^"]*"([^"]*)"/u.exec(line)?.[1] ?? []);
    const known = [
      dataDir,
      join(import.meta.dirname, '../..'),
      join(tmpdir(), 'node-compile-cache'),
      '/lib',
      '/usr',
      '/etc/ld.so',
      '/etc/ssl/openssl.cnf',
      '/proc/',
      '/sys/',
      '/dev/',
    ];
    expect([...new Set(opened.filter((path) => !known.some((start) => path.startsWith(start))))]).toEqual([]);
    expect(opened.filter((path) => path.includes('environ') || path === seen.told?.foreign)).toEqual([]);
    expect(after.filter((line) => /\bconnect\(|AF_INET/u.test(line))).toEqual([]);
    expect(after.filter((line) => /execve\(/u.test(line) && !/execve\("[^"]*(?:\/sh|\/node)"/u.test(line))).toEqual([]);
  });
});
