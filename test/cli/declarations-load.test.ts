import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'inlay-declarations-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const source = join(import.meta.dirname, '../../packages/service/src');
/** What only a running service works with, as in the address of a module. */
const running = [
  'service/src/store/sqlite/',
  'service/src/store/postgres/',
  'service/src/engine/',
  'service/src/login/',
  'service/src/outbound/',
  'service/src/http/',
  'service/src/jobs/',
  'node_modules/fastify/',
  'node_modules/pg/',
  'node_modules/postgres/',
  'node_modules/mysql2/',
  'node_modules/@clickhouse/',
  'node_modules/@duckdb/',
];

it('the declarations of all resources are checked without a store, the engine, login or a server', () => {
  const list = join(folder, 'loaded');
  const program = `
    const { resources } = await import('${source}/resources/index.ts');
    const { createRegistry } = await import('${source}/resource/registry.ts');
    const { checkDeclarations } = await import('${source}/resource/check.ts');
    checkDeclarations(createRegistry(resources));`;
  const hooks = join(import.meta.dirname, '../support/loaded-modules.mjs');
  execFileSync(process.execPath, ['--import', hooks, '--input-type=module', '--eval', program], {
    env: { ...process.env, LOADED_MODULES: list },
  });
  const loaded = readFileSync(list, 'utf8').split('\n');
  expect(loaded.some((url) => url.endsWith('/resources/user.ts'))).toBe(true);
  expect(loaded.filter((url) => running.some((part) => url.includes(part)))).toEqual([]);
});
