import { providers } from '../../packages/service/src/connectors/providers.ts';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { inlayProgram, startService } from '../support/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'inlay-loaded-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What only some services, or only some commands, work with: as it stands in the address of a module. */
const notAtStart = [
  'ajv/',
  // The API alone is loaded, by the metrics.
  '@opentelemetry/sdk-trace',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/otlp-',
  'openid-client/',
  'jose/',
  'postgres/',
  'pg/',
  'mysql2/',
  '@clickhouse/client/',
  'undici/',
  'aws4fetch/',
  'write-excel-file/',
  'aichart/engine.ts',
  'cli/doctor/command.ts',
  'cli/commands/backup.ts',
  'demo/demo.ts',
  'workbook/read-sheet.ts',
  'store/postgres/open.ts',
  's3/bucket.ts',
  'tracing/otlp.ts',
];

/** Returns the sources in a built file: each stands below a line that names it. */
const sourcesIn = (file: string): readonly string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => /^\/\/ (packages\/\S+)$/u.exec(line)?.[1] ?? []);

/** Returns the addresses of the modules that a start loads, those inside built files among them. */
async function loadedBy(main: string): Promise<readonly string[]> {
  const list = join(folder, 'loaded');
  const hooks = join(import.meta.dirname, '../support/loaded-modules.mjs');
  const env = { LOADED_MODULES: list, NODE_OPTIONS: `--import ${hooks}`, INLAY_DATABASE_URL: undefined };
  const service = await startService({ env, main });
  await service.stop();
  const loaded = readFileSync(list, 'utf8').split('\n');
  rmSync(list);
  const built = loaded.filter((url) => url.includes('/packages/service/dist/'));
  return [...loaded, ...built.flatMap((url) => sourcesIn(fileURLToPath(url)))];
}

it.each([
  ['as it was built', inlayProgram],
  ['from its sources', join(import.meta.dirname, '../../packages/service/src/main.ts')],
])('a start on the embedded store, %s, loads nothing of what only others need', async (_, main) => {
  const loaded = await loadedBy(main);
  expect(loaded.some((url) => url.endsWith('store/sqlite/open.ts'))).toBe(true);
  for (const part of notAtStart) expect(loaded.filter((url) => url.includes(`/${part}`))).toEqual([]);
});

it('a built start loads no more than a few of its own files', async () => {
  const ours = (await loadedBy(inlayProgram)).filter((url) => /^file:.*\/packages\/\w+\/(?:src|dist)\//u.test(url));
  // Each command that shares a part with the start makes a file of that part, and each provider one of its declaration.
  expect(ours.length).toBeLessThan(144 + providers.length);
  expect(ours.filter((url) => url.includes('/src/'))).toEqual([]);
});
