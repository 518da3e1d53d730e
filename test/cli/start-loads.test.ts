import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startService } from '../support/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'inlay-loaded-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What only some services, or only some commands, work with: as it stands in the address of a module. */
const notAtStart = [
  'ajv/',
  'openid-client/',
  'jose/',
  'postgres/',
  'pg/',
  'mysql2/',
  'undici/',
  'vega-datasets/',
  'write-excel-file/',
  'aichart/engine.ts',
  'cli/doctor.ts',
  'cli/backup.ts',
  'demo/demo.ts',
  'rows/workbook.ts',
  'store/postgres.ts',
];

it('a start on the embedded store loads nothing of what only others need', { timeout: 60_000 }, async () => {
  const list = join(folder, 'loaded');
  const hooks = join(import.meta.dirname, '../support/loaded-modules.mjs');
  const service = await startService({
    env: { LOADED_MODULES: list, NODE_OPTIONS: `--import ${hooks}`, INLAY_DATABASE_URL: undefined },
  });
  await service.stop();
  const loaded = readFileSync(list, 'utf8').split('\n');
  expect(loaded.some((url) => url.endsWith('store/sqlite.ts'))).toBe(true);
  for (const part of notAtStart) expect(loaded.filter((url) => url.includes(`/${part}`))).toEqual([]);
});
